#include "engines/peer_program.hpp"

#include "engines/threads.hpp"
#include "interruption.hpp"
#include "support/child_process.hpp"
#include "support/temporary_folder.hpp"

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <sys/resource.h>
#include <utility>

namespace bench::engines {

const pgbench_script pgbench_advisory{
    "SELECT pg_advisory_lock(hashtextextended('pgbench:' || :client_id, 0))",
    "SELECT pg_advisory_unlock(hashtextextended('pgbench:' || :client_id, 0))"};

namespace {

namespace test = redlock::test;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds patience_with_programs = seconds(60);

// That of the system, whose packages are meant.
constexpr const char* python = "/usr/bin/python3";

/// Of programs that have ended.
microseconds time_of_programs() {
    rusage used{};
    ::getrusage(RUSAGE_CHILDREN, &used);
    const auto of = [](const timeval& t) { return seconds(t.tv_sec) + microseconds(t.tv_usec); };
    return of(used.ru_utime) + of(used.ru_stime);
}

[[noreturn]] void fail(const std::string& program, const std::string& how) {
    throw_if_interrupted();
    throw std::runtime_error(program + " " + how);
}

/// What a program prints, behind its end. Not more than the first line.
std::string line_of(const std::vector<std::string>& command, milliseconds how_long) {
    test::child_process program(command);
    const auto line = program.read_line(how_long + patience_with_programs);
    if (program.wait(patience_with_programs) != 0) fail(command.front(), "fails or does not come to its end");
    return line.value_or("");
}

struct transaction {
    microseconds ended; ///< since 1970
    microseconds took;
};

/// Of a log of pgbench: client, number, microseconds, script, seconds and microseconds of the end. What it
/// says that one took is 0 where the first answer was there when it was looked for: each takes from the end
/// of the one before it to its own.
void read_log(const std::filesystem::path& file, std::vector<transaction>& all) {
    std::ifstream log(file);
    std::map<std::int64_t, microseconds> last;
    std::int64_t client = 0, number = 0, took = 0, script = 0, at = 0, and_micros = 0;
    while (log >> client >> number >> took >> script >> at >> and_micros) {
        const microseconds ended = seconds(at) + microseconds(and_micros);
        const auto [before, is_first] = last.try_emplace(client, ended);
        if (!is_first) all.push_back({.ended = ended, .took = ended - std::exchange(before->second, ended)});
    }
}

/// Of those that ended in the measured part, which is the last.
sample result_of(const std::vector<transaction>& all, const load& plan, microseconds cpu) {
    sample s;
    if (all.empty()) return s;
    const microseconds over = std::ranges::max(all, {}, &transaction::ended).ended;
    std::vector<microseconds> latencies;
    for (const transaction& t : all)
        if (t.ended > over - plan.duration) latencies.push_back(t.took);
    std::ranges::sort(latencies);
    const auto percentile = [&](std::size_t part) {
        return static_cast<double>(latencies[part * (latencies.size() - 1) / 100].count());
    };
    s.cycles = latencies.size();
    s.cycles_per_second =
        static_cast<double>(s.cycles) / std::chrono::duration<double>(plan.duration).count();
    s.cpu_microseconds = static_cast<double>(cpu.count()) / static_cast<double>(all.size());
    s.p50_microseconds = percentile(50);
    s.p99_microseconds = percentile(99);
    return s;
}

} // namespace

bool can_run(const std::vector<std::string>& command) {
    try {
        return test::process(command, {}).wait(patience_with_programs) == 0;
    } catch (const std::exception&) {
        return false;
    }
}

bool has_pgbench() { return can_run({REDLOCK_BENCH_PGBENCH, "--version"}); }

namespace {

/// For that many seconds; all that its log has.
std::vector<transaction> pgbench_log(const std::string& conninfo, const pgbench_script& with,
                                     std::size_t clients, seconds how_long) {
    const test::temporary_folder folder;
    const auto script = folder.path() / "script.sql";
    std::ofstream(script) << with.lock << ";\n" << with.unlock << ";\n";
    test::process program({REDLOCK_BENCH_PGBENCH, "--no-vacuum", "--protocol=prepared",
                           "--file=" + script.string(), fmt::format("--time={}", how_long.count()),
                           fmt::format("--client={}", clients), "--log",
                           "--log-prefix=" + (folder.path() / "log").string(), conninfo},
                          {});
    if (program.wait(how_long + patience_with_programs) != 0)
        fail("pgbench", "fails or does not come to its end");
    std::vector<transaction> all;
    for (const auto& file : std::filesystem::directory_iterator(folder.path()))
        if (file.path() != script) read_log(file, all);
    return all;
}

} // namespace

sample run_pgbench(const std::string& conninfo, const pgbench_script& with, const load& plan) {
    // Where it takes its time to connect there may be none left.
    for (auto how_long = std::chrono::ceil<seconds>(plan.warm_up + plan.duration);
         how_long <= patience_with_programs; how_long *= 4) {
        const microseconds before = time_of_programs();
        const auto all = pgbench_log(conninfo, with, std::min(plan.in_flight, most_connections), how_long);
        if (!all.empty()) return result_of(all, plan, time_of_programs() - before);
    }
    fail("pgbench", "has written down nothing");
}

bool has_python(const std::string& package) { return can_run({python, "-c", "import " + package}); }

sample run_python(const std::string& package, const std::string& where, const load& plan) {
    const microseconds before = time_of_programs();
    const std::string line =
        line_of({python, REDLOCK_BENCH_PYTHON_PEER, package, where, fmt::to_string(plan.in_flight),
                 fmt::to_string(plan.warm_up.count()), fmt::to_string(plan.duration.count())},
                plan.warm_up + plan.duration);
    const microseconds cpu = time_of_programs() - before;
    const boost::json::value told = boost::json::parse(line);
    const auto number = [&](const char* name) { return told.at(name).to_number<double>(); };
    sample s;
    s.cycles = told.at("cycles").to_number<std::uint64_t>();
    s.failures = told.at("failures").to_number<std::uint64_t>();
    s.first_failure = told.at("first_failure").as_string().c_str();
    s.cycles_per_second = number("cycles_per_second");
    s.cpu_microseconds = static_cast<double>(cpu.count()) / std::max(1.0, number("all_cycles"));
    s.p50_microseconds = number("p50_microseconds");
    s.p99_microseconds = number("p99_microseconds");
    return s;
}

} // namespace bench::engines
