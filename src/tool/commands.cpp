#include "bench/bench_command.hpp"
#include "cli/command.hpp"
#include "doctor/doctor_command.hpp"
#include "local/local_command.hpp"
#include "look/break_command.hpp"
#include "look/inspect_command.hpp"
#include "look/leader_command.hpp"
#include "look/list_command.hpp"
#include "look/top_command.hpp"
#include "look/watch_command.hpp"
#include "manual/completion.hpp"
#include "manual/man_page.hpp"
#include "run/elect_command.hpp"
#include "run/run_command.hpp"
#include "sql/sql_command.hpp"

namespace redlock::tool {

const std::vector<command>& commands() {
    static const std::vector<command> all{
        run_command(),   elect_command(), leader_command(),     inspect_command(), list_command(),
        top_command(),   watch_command(), break_command(),      doctor_command(),  bench_command(),
        local_command(), sql_command(),   completion_command(), manual_command()};
    return all;
}

const command* find_command(const std::string& name) {
    for (const auto& each : commands())
        if (each.name == name) return &each;
    return nullptr;
}

} // namespace redlock::tool
