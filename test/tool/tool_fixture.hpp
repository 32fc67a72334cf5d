#pragma once

#include "program/program.hpp"
#include "support/environment.hpp"
#include "support/eventually.hpp"
#include "support/node_set.hpp"
#include "support/temporary_folder.hpp"

#include <optional>
#include <string>
#include <vector>

namespace redlock::test {

/// The tool as a user runs it; what it says on standard error can be read like the rest.
inline program redlock(std::vector<std::string> words) {
    words.insert(words.begin(), {"-c", R"(exec "$0" "$@" 2>&1)", REDLOCK_TOOL});
    return program("/bin/sh", words);
}

/// `redlock run OPTIONS -- sh -c SCRIPT`
inline program redlock_run(std::vector<std::string> options, const std::string& script) {
    options.insert(options.begin(), "run");
    options.insert(options.end(), {"--", "/bin/sh", "-c", script});
    return redlock(std::move(options));
}

/// The other process of the tool.
int partner_of(int pid);

/// The numbers in a line such as "pids 17 18".
std::vector<int> numbers_in(const std::optional<std::string>& line);

/// Nodes, named in the environment for the tool, which is patient with them.
struct tool_fixture {
    tool_fixture();

    void stop_majority();
    /// Puts the key on all nodes as if somebody held it.
    void hold(const std::string& key);
    bool is_free(const std::string& key) { return nodes.holders(key) == 0; }

    node_set nodes{5};
    temporary_folder folder;
    environment named;
    environment place{"XDG_CONFIG_HOME", folder.path()};
};

} // namespace redlock::test
