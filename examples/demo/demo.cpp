// The main job of the library on five throw-away Redis servers: see `usage`.

#include "roles.hpp"
#include "say.hpp"
#include "show.hpp"

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace {

constexpr const char* usage =
    "usage: redlock_demo [--quick]\n"
    "Starts five redis-server processes, lets several processes increment a number in a file under one lock, "
    "kills one\n"
    "node, stops a majority, and ends with a table of what came of it. Leaves nothing behind.\n"
    "  --quick  about half as long\n";

int show_all(const demo::lengths& acts) {
    demo::show show(acts);
    show.count();
    show.lose_majority();
    fmt::print("{}", demo::table(show.result()));
    return show.result().as_promised() ? 0 : 1;
}

int run(const std::vector<std::string>& arguments) {
    const auto is = [&](const char* first, std::size_t least) {
        return arguments.size() >= least && arguments[0] == first;
    };
    if (arguments.empty()) return show_all({});
    if (is("--quick", 1))
        return show_all({std::chrono::seconds(1), std::chrono::seconds(1), std::chrono::seconds(1)});
    if (is("--increment", 4)) {
        demo::increment({arguments.begin() + 3, arguments.end()}, arguments[1], std::stoul(arguments[2]));
        return 0;
    }
    if (is("--hold", 2)) {
        demo::hold({arguments.begin() + 1, arguments.end()});
        return 0;
    }
    const bool asked = is("--help", 1);
    fmt::print(asked ? stdout : stderr, "{}", usage);
    return asked ? 0 : 2;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return run({argv + 1, argv + argc});
    } catch (const demo::interrupted&) {
        fmt::print(stderr, "redlock_demo: interrupted\n");
        return 130;
    } catch (const std::exception& e) {
        fmt::print(stderr, "redlock_demo: {}\n", e.what());
        return 1;
    }
}
