#include "cli/exit_status.hpp"
#include "manual/completion.hpp"
#include "nodes/node_options.hpp"

#include <fmt/format.h>

#include <memory>

namespace redlock::tool {
namespace {

int write_completion(const std::string& shell) {
    node_options unused;
    const auto shared = options_of(unused);
    const auto write = shell == "zsh" ? zsh_completion : shell == "fish" ? fish_completion : bash_completion;
    fmt::print("{}", write(commands(), shared));
    return fine;
}

} // namespace

command completion_command() {
    const auto shell = std::make_shared<std::string>();
    return {
        .name = "completion",
        .summary = "Write a script that completes command lines of redlock",
        .description =
            {"Writes the script to standard output. Packages install it; this is for those who do not have "
             "it from there."},
        .arguments = {{.name = "SHELL",
                       .help = "bash, zsh or fish",
                       .set = into(*shell),
                       .choices = {"bash", "zsh", "fish"}}},
        .uses_nodes = false,
        .examples = {{"source <(redlock completion bash)", "For this shell"},
                     {"redlock completion zsh >~/.zfunc/_redlock", "Where fpath of zsh has ~/.zfunc"},
                     {"redlock completion fish >~/.config/fish/completions/redlock.fish", "For fish"}},
        .exits = {{usage, {}}},
        .run = [shell](const config&) { return write_completion(*shell); },
    };
}

} // namespace redlock::tool
