#include "bench_command.hpp"
#include "break_command.hpp"
#include "command.hpp"
#include "completion.hpp"
#include "doctor_command.hpp"
#include "inspect_command.hpp"
#include "local_command.hpp"
#include "man_page.hpp"
#include "run_command.hpp"
#include "watch_command.hpp"

namespace redlock::tool {

const std::vector<command>& commands() {
    static const std::vector<command> all{run_command(),   inspect_command(),    watch_command(),
                                          break_command(), doctor_command(),     bench_command(),
                                          local_command(), completion_command(), manual_command()};
    return all;
}

const command* find_command(const std::string& name) {
    for (const auto& each : commands())
        if (each.name == name) return &each;
    return nullptr;
}

} // namespace redlock::tool
