#include "support/temporary_folder.hpp"
#include "tool_fixture.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace redlock::test {
namespace {

std::string all_of(program& tool) {
    std::string text;
    while (const auto line = tool.line_with(""))
        text += *line + '\n';
    return text;
}

const std::vector<std::string> commands{"run",   "elect",      "leader", "inspect", "list",
                                        "watch", "break",      "doctor", "bench",   "local",
                                        "sql",   "completion", "manual"};

BOOST_AUTO_TEST_SUITE(texts)

BOOST_AUTO_TEST_CASE(help_names_every_command_and_shows_examples) {
    program tool = redlock({"--help"});
    const auto overview = all_of(tool);
    BOOST_TEST(tool.status() == 0);
    for (const auto& name : commands) {
        BOOST_TEST(overview.find("\n  " + name + ' ') != std::string::npos);
        program help = redlock({name, "--help"});
        const auto text = all_of(help);
        BOOST_TEST(text.find("\nExamples:\n") != std::string::npos);
        BOOST_TEST(text.find("Exit status:\n") != std::string::npos);
        BOOST_TEST(help.status() == 0);
    }
    program version = redlock({"--version"});
    BOOST_TEST(version.says("redlock "));
    BOOST_TEST(version.status() == 0);
}

BOOST_AUTO_TEST_CASE(a_wrong_command_line_has_one_status) {
    for (const std::vector<std::string>& words : {std::vector<std::string>{},
                                                  {"nothing"},
                                                  {"inspect"},
                                                  {"inspect", "k", "--jsn"},
                                                  {"inspect", "a", "b"},
                                                  {"inspect", "k", "--", "x"},
                                                  {"watch", "k", "--interval", "-1s"},
                                                  {"watch", "k", "--interval"},
                                                  {"completion", "csh"},
                                                  {"local", "--nodes", "many"}})
        BOOST_TEST(redlock(words).status() == 64);
}

BOOST_AUTO_TEST_CASE(completion_scripts_are_scripts) {
    const temporary_folder folder;
    for (const std::string shell : {"bash", "zsh", "fish"}) {
        if (std::system(fmt::format("command -v {} >/dev/null", shell).c_str()) != 0) continue;
        const auto file = (folder.path() / shell).string();
        const auto line = fmt::format("{0} completion {1} >{2} && {1} -n {2}", REDLOCK_TOOL, shell, file);
        BOOST_TEST(std::system(line.c_str()) == 0);
    }
}

BOOST_AUTO_TEST_CASE(bash_completes_commands_options_and_words) {
    const auto completed = [](const std::string& words, int index) {
        program bash("/bin/bash",
                     {"-c", fmt::format("source <({} completion bash); COMP_WORDS=({}); COMP_CWORD={}; "
                                        "_redlock; echo \" ${{COMPREPLY[*]}} \"",
                                        REDLOCK_TOOL, words, index)});
        return bash.line_with("").value_or("");
    };
    BOOST_TEST(completed("redlock ins", 1) == " inspect ");
    BOOST_TEST(completed("redlock run k --t", 3) == " --ttl --try --tls-server-name ");
    BOOST_TEST(completed("redlock inspect --no", 2) == " --node --node-timeout ");
    BOOST_TEST(completed("redlock completion z", 2) == " zsh ");
    BOOST_TEST(completed("redlock run k -- --t", 4) == "  ");
    BOOST_TEST(completed("redlock --insecure ins", 2) == " inspect ");
    BOOST_TEST(completed("redlock --insecure --cacert file ins", 4) == " inspect ");
    BOOST_TEST(completed("redlock inspect --cac", 2) == " --cacert --cacertdir ");
    BOOST_TEST(completed("redlock inspect --cacert /dev/nul", 3) == " /dev/null ");
    BOOST_TEST(completed("redlock -n redis : //host : 1 ins", 7) == " inspect ");
    BOOST_TEST(completed("redlock --node = redis : //host --config file run k --t", 10) ==
               " --ttl --try --tls-server-name ");
}

BOOST_AUTO_TEST_CASE(fish_completes_commands_options_and_words) {
    if (std::system("command -v fish >/dev/null") != 0) return;
    const auto completed = [](const std::string& words) {
        program fish(
            "/bin/sh",
            {"-c", fmt::format("fish --no-config -c '{} completion fish | source; complete -C \"{}\"' "
                               "| cut -f 1 | tr '\\n' ' '; echo",
                               REDLOCK_TOOL, words)});
        return fish.line_with("").value_or("");
    };
    BOOST_TEST(completed("redlock ins") == "inspect ");
    BOOST_TEST(completed("redlock run k --tr") == "--try ");
    BOOST_TEST(completed("redlock inspect --no") == "--node --node-timeout ");
    BOOST_TEST(completed("redlock completion z") == "zsh ");
    BOOST_TEST(completed("redlock run k -- --tr") == "");
    BOOST_TEST(completed("redlock --insecure --cacert file ins") == "inspect ");
    BOOST_TEST(completed("redlock inspect --cacert /dev/nul") == "/dev/null ");
}

BOOST_AUTO_TEST_CASE(manual_pages_are_well_formed) {
    const temporary_folder folder;
    BOOST_TEST(redlock({"manual", folder.path()}).status() == 0);
    std::vector<std::string> pages{"redlock"};
    for (const auto& name : commands)
        pages.push_back("redlock-" + name);
    const bool checker = std::system("command -v groff >/dev/null") == 0;
    for (const auto& page : pages) {
        const auto file = folder.path() / (page + ".1");
        BOOST_TEST(std::filesystem::file_size(file) > 500u);
        if (!checker) continue;
        // A warning does not make groff fail.
        program groff("/bin/sh", {"-c", "groff -man -ww -z -Tutf8 " + file.string() + " 2>&1"});
        BOOST_TEST(all_of(groff) == "");
        BOOST_TEST(groff.status() == 0);
        program reader("/bin/sh", {"-c", "groff -man -Tascii -P -cbou -rLL=200n " + file.string()});
        const auto text = all_of(reader);
        // A backslash is meant only where bytes are named.
        for (auto at = text.find('\\'); at != std::string::npos; at = text.find('\\', at + 1))
            BOOST_TEST(text.substr(at, 4) == R"(\xNN)", text);
        BOOST_TEST(text.find(",-") == std::string::npos, text);
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(configuration, tool_fixture)

BOOST_AUTO_TEST_CASE(nodes_come_from_the_command_line_then_the_environment_then_the_file) {
    std::ofstream(folder.path() / "redlock/config") << "# nobody is there\nnode = redis://127.0.0.1:1\n"
                                                    << "node_timeout = 2s\nkey_prefix = lock:\n";
    hold("lock:k");
    BOOST_TEST(redlock({"inspect", "k"}).says("lock:k: held by somebody on 5 of 5"));
    BOOST_TEST(redlock({"inspect", "k", "--key-prefix", "other:"}).says("other:k: free"));
    BOOST_TEST(redlock({"inspect", "k", "--node", nodes[0].uri()}).says("on 1 of 1 nodes"));
    ::unsetenv("REDLOCK_NODES");
    BOOST_TEST(redlock({"inspect", "k"}).status() == 112);
    const auto file = (folder.path() / "own").string();
    std::ofstream(file) << "node = " << nodes[0].uri() << ' ' << nodes[1].uri() << "\nnode=" << nodes[2].uri()
                        << '\n';
    BOOST_TEST(redlock({"inspect", "lock:k", "--config", file}).says("on 3 of 3 nodes"));
    BOOST_TEST(redlock({"inspect", "k", "--config", "/nonexistent/file"}).status() == 64);
}

BOOST_AUTO_TEST_CASE(options_of_nodes_may_stand_before_the_command) {
    hold("k");
    BOOST_TEST(redlock({"-n", nodes[0].uri(), "inspect", "k"}).says("on 1 of 1 nodes"));
    BOOST_TEST(
        redlock({"--node=" + nodes[0].uri(), "--node-timeout", "2s", "inspect", "k", "-n", nodes[1].uri()})
            .says("on 2 of 2 nodes"));
    program unknown = redlock({"--json", "inspect", "k"});
    BOOST_TEST(unknown.says("only options of nodes may stand before the command, not --json"));
    BOOST_TEST(unknown.status() == 64);
    BOOST_TEST(redlock({"-n", nodes[0].uri(), "completion", "bash"}).status() == 64);
    program nothing = redlock({"-n", nodes[0].uri()});
    BOOST_TEST(nothing.says("which command?"));
    BOOST_TEST(nothing.status() == 64);
    BOOST_TEST(redlock({"-n", nodes[0].uri(), "inspct", "k"}).says("there is no command \"inspct\""));
}

BOOST_AUTO_TEST_CASE(messages_speak_of_options_and_not_of_the_library) {
    std::vector<std::string> many{"inspect", "k"};
    for (int i = 0; i < 64; ++i)
        many.insert(many.end(), {"-n", fmt::format("redis://127.0.0.1:{}", i + 1)});
    stop_majority();
    for (const auto& [words, wanted] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"inspect", "k", "-n", "http://127.0.0.1"}, "node 1 (see --node): "},
             {{"inspect", "k", "-n", nodes[4].uri(), "-n", nodes[4].uri()},
              "node 1 and node 2 (see --node) are both "},
             {many, "--node"},
             {{"inspect", "k", "--key-prefix", std::string(600, 'x')}, "--key-prefix must be"},
             {{"run", "--try", "k", "--", "true"}, "within --node-timeout"}}) {
        program tool = redlock(words);
        const auto text = all_of(tool);
        BOOST_TEST(text.find(wanted) != std::string::npos, text);
        for (const char* name : {"config::", "errc", "lock_options"})
            BOOST_TEST(text.find(name) == std::string::npos, text);
    }
}

BOOST_AUTO_TEST_CASE(a_wrong_file_is_refused_with_the_line_but_without_its_secrets) {
    const auto file = (folder.path() / "own").string();
    for (const std::string line : {"node redis://:hunter2@127.0.0.1", "nodes = redis://:hunter2@127.0.0.1",
                                   "node = redis://:hunter2@127.0.0.1:port", "node_timeout = hunter"}) {
        std::ofstream(file) << "\n" << line << '\n';
        ::unsetenv("REDLOCK_NODES");
        program tool = redlock({"inspect", "k", "--config", file});
        const auto text = all_of(tool);
        BOOST_TEST(tool.status() == 64);
        BOOST_TEST(text.find("hunter2") == std::string::npos);
        BOOST_TEST(!text.empty());
    }
}

BOOST_AUTO_TEST_CASE(a_password_is_shown_nowhere) {
    node_set guarded(3, {.password = "hunter2"});
    std::string list;
    for (auto& server : guarded)
        list += server.uri("", "hunter2") + ' ';
    // One that refuses the password as well, so that there is something to complain about.
    const environment named_here("REDLOCK_NODES", list + nodes[0].uri("nobody", "hunter2"));
    program run = redlock({"run", "--keep-passwords", "k", "--", "/bin/sh", "-c",
                           std::string("for p in $PPID $(cat /proc/$PPID/task/$PPID/children); do "
                                       "tr '\\0' ' ' </proc/$p/cmdline; done; ") +
                               REDLOCK_TOOL + " inspect k; " + REDLOCK_TOOL + " inspect --json k"});
    const auto text = all_of(run);
    BOOST_TEST(text.find("held by") != std::string::npos);
    BOOST_TEST(text.find("hunter2") == std::string::npos);
    BOOST_TEST(redlock({"run", "k", "--", "true"}).status() == 0);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
