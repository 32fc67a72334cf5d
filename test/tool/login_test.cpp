// Where the command has user and password from, and who does not get to see them.

#include "tool_fixture.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

struct login_fixture {
    login_fixture() {
        for (auto& node : nodes) {
            plain.push_back(node.uri());
            with_password.push_back(node.uri("", "hunter2"));
        }
    }
    std::string file_with(const std::string& text, unsigned mode) {
        const std::string name = folder.path() / "password";
        std::ofstream(name) << text;
        std::filesystem::permissions(name, static_cast<std::filesystem::perms>(mode));
        return name;
    }
    /// What the command under the lock finds in its environment.
    static program shows_environment(std::vector<std::string> options) {
        options.insert(options.end(), {"--node-timeout", "10s", "key"});
        return redlock_run(options, R"(echo "found [$REDLOCK_PASSWORD] [$REDLOCK_NODES]")");
    }
    /// All that it says.
    static std::string text_of(program& tool) {
        std::string text;
        while (const auto line = tool.line_with(""))
            text += *line + '\n';
        return text;
    }
    static int refused(std::vector<std::string> options, const std::string& why) {
        program tool = shows_environment(std::move(options));
        BOOST_TEST(tool.says(why), why);
        return tool.status();
    }

    node_set nodes{3, {.directives = {}, .password = "hunter2", .persistent = false}};
    temporary_folder folder;
    environment place{"XDG_CONFIG_HOME", folder.path()};
    std::vector<std::string> plain, with_password;
};

BOOST_FIXTURE_TEST_SUITE(login, login_fixture)

BOOST_AUTO_TEST_CASE(a_password_of_the_environment_is_not_passed_on) {
    const std::string all = fmt::format("{}", fmt::join(plain, ","));
    const environment named("REDLOCK_NODES", all);
    BOOST_TEST(refused({}, "refused") != 0);
    const environment password("REDLOCK_PASSWORD", "hunter2");
    program tool = shows_environment({});
    BOOST_TEST(tool.says("found [] [" + all + "]"));
    BOOST_TEST(tool.status() == 0);
    program keeps = shows_environment({"--keep-passwords"});
    BOOST_TEST(keeps.says("found [hunter2] [" + all + "]"));
    BOOST_TEST(keeps.status() == 0);
}

BOOST_AUTO_TEST_CASE(neither_are_addresses_with_passwords) {
    const std::string all = fmt::format("{}", fmt::join(with_password, ","));
    const environment named("REDLOCK_NODES", all);
    program tool = shows_environment({});
    BOOST_TEST(tool.says("found [] []"));
    BOOST_TEST(tool.status() == 0);
    program keeps = shows_environment({"--keep-passwords"});
    BOOST_TEST(keeps.says("found [] [" + all + "]"));
    BOOST_TEST(keeps.status() == 0);
}

BOOST_AUTO_TEST_CASE(a_file_has_the_password_that_nobody_else_can_read) {
    const environment named("REDLOCK_NODES", fmt::format("{}", fmt::join(plain, ",")));
    const environment other("REDLOCK_PASSWORD", "wrong");
    program tool = shows_environment({"--password-file", file_with("hunter2\nnot this\n", 0600)});
    BOOST_TEST(tool.says("found []"));
    BOOST_TEST(tool.status() == 0);
    const environment file("REDLOCK_PASSWORD_FILE", file_with("hunter2", 0400));
    program by_environment = shows_environment({});
    BOOST_TEST(by_environment.says("found []"));
    BOOST_TEST(by_environment.status() == 0);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_good_is_refused) {
    const environment named("REDLOCK_NODES", fmt::format("{}", fmt::join(plain, ",")));
    const std::string file = file_with("hunter2", 0644);
    BOOST_TEST(refused({"--password-file", file}, "chmod 600") == 64);
    file_with("\nhunter2", 0600);
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    BOOST_TEST(refused({"--password-file", file}, "empty first line") == 64);
    BOOST_TEST(refused({"--password-file", folder.path()}, "is no file") == 64);
    BOOST_TEST(refused({"--password-file", folder.path() / "none"}, "No such file") == 64);
    BOOST_TEST(refused({"--user", "worker"}, "needs a password") == 64);
    file_with(std::string(5000, 'x'), 0600);
    BOOST_TEST(refused({"--password-file", file}, "longer than 4096") == 64);
}

BOOST_AUTO_TEST_CASE(a_configuration_with_a_password_is_not_for_all) {
    std::string all = "node = redis://127.0.0.1:1\nbackup = postgresql://u:hunter2@127.0.0.1:1/d\n";
    program of_backup = shows_environment({"--config", file_with(all, 0644)});
    BOOST_TEST(of_backup.says("has a password in it, and can be read by all or changed by others: chmod"));
    BOOST_TEST(of_backup.status() == 64);
    all = fmt::format("node = {}\n", fmt::join(with_password, " "));
    program closed = shows_environment({"--config", file_with(all, 0640)});
    BOOST_TEST(closed.says("found [] []"));
    BOOST_TEST(closed.status() == 0);
    for (const unsigned open : {0644u, 0660u}) {
        program tool = shows_environment({"--config", file_with(all, open)});
        const std::string text = text_of(tool);
        BOOST_TEST(text.find("has a password in it, and can be read by all or changed by others: chmod") !=
                       std::string::npos,
                   text);
        BOOST_TEST(text.find("hunter2") == std::string::npos);
        BOOST_TEST(tool.status() == 64);
    }
    // What has none is nobody's secret.
    const environment password("REDLOCK_PASSWORD", "hunter2");
    program tool =
        shows_environment({"--config", file_with(fmt::format("node = {}\n", fmt::join(plain, " ")), 0644)});
    BOOST_TEST(tool.says("found [] []"));
    BOOST_TEST(tool.status() == 0);
}

// As ps(1) and /proc show it to others: what the processes were started with, and what the command finds.
BOOST_AUTO_TEST_CASE(no_process_shows_the_password) {
    const std::string look = R"(
        show() { tr '\0' '\n' <"$1"; echo; }
        show /proc/self/environ; show /proc/$PPID/cmdline
        for p in /proc/[0-9]*; do
            if grep -qs "^PPid:.$PPID$" $p/status; then show $p/cmdline; fi
        done
        echo looked)";
    const auto shown = [&](std::vector<std::string> options) {
        options.insert(options.end(), {"--node-timeout", "10s", "key"});
        program tool = redlock_run(options, look);
        const std::string text = text_of(tool);
        BOOST_TEST(text.find("looked") != std::string::npos, text);
        BOOST_TEST(tool.status() == 0);
        return text;
    };
    const auto is_hidden = [](const std::string& text) { return text.find("hunter2") == std::string::npos; };
    {
        const environment named("REDLOCK_NODES", fmt::format("{}", fmt::join(with_password, ",")));
        BOOST_TEST(is_hidden(shown({})));
        BOOST_TEST(!is_hidden(shown({"--keep-passwords"})));
    }
    const environment named("REDLOCK_NODES", fmt::format("{}", fmt::join(plain, ",")));
    BOOST_TEST(is_hidden(shown({"--password-file", file_with("hunter2", 0600)})));
    const environment password("REDLOCK_PASSWORD", "hunter2");
    BOOST_TEST(is_hidden(shown({})));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
