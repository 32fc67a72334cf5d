#include "engines/redis/node/server/handshake.hpp"
#include "node/recorder.hpp"
#include "support/command_parser.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

using node::address;
using node::handshake;
using progress = node::handshake::progress;

constexpr std::string_view hello_reply = "%5\r\n+server\r\n+redis\r\n+version\r\n+7.0.15\r\n+proto\r\n:3\r\n"
                                         "+mode\r\n+standalone\r\n+role\r\n+master\r\n";
constexpr std::string_view unknown_hello =
    "-ERR unknown command 'HELLO', with args beginning with: '3' 'AUTH' 'alice' 's3cret' \r\n";

std::string bulk(std::string_view text) {
    return "$" + std::to_string(text.size()) + "\r\n" + std::string(text) + "\r\n";
}

/// A login, shown replies one by one.
class login {
public:
    explicit login(const address& to, std::string_view client_name = "redlock", handshake::wishes wanted = {})
        : steps(to, client_name, wanted) {
        steps.begin(out_);
    }

    progress take(std::string_view reply) { return steps.take(*parsed_reply(reply), out_); }

    /// The commands written since the last call, each as its words with blanks between.
    std::vector<std::string> written() {
        command_parser parser;
        parser.feed(std::exchange(out_, {}));
        std::vector<std::string> lines;
        for (command_parser::command words; parser.next(words);) {
            std::string line;
            for (const auto& word : words)
                line += (line.empty() ? "" : " ") + word;
            lines.push_back(line);
        }
        return lines;
    }

    handshake steps;

private:
    std::string out_;
};

using lines = std::vector<std::string>;

void check_lines(const lines& found, const lines& expected) {
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

const address anonymous = node::parse_address("redis://h");
const address alice = node::parse_address("redis://alice:s3cret@h/7");
const address password_only = node::parse_address("redis://:pass@h");

BOOST_AUTO_TEST_SUITE(handshake_suite)

BOOST_AUTO_TEST_CASE(says_hello_and_asks_in_one_write) {
    login plain(anonymous);
    check_lines(plain.written(), {"HELLO 3 SETNAME redlock", "INFO"});
    login nameless(anonymous, "");
    check_lines(nameless.written(), {"HELLO 3", "INFO"});
    login full(alice);
    check_lines(full.written(), {"HELLO 3 AUTH alice s3cret SETNAME redlock", "SELECT 7", "INFO"});
    login no_user(password_only, "");
    check_lines(no_user.written(), {"HELLO 3 AUTH default pass", "INFO"});
}

BOOST_AUTO_TEST_CASE(completes_with_what_the_server_says_of_itself) {
    login to(alice);
    BOOST_TEST((to.take(hello_reply) == progress::pending));
    BOOST_TEST((to.take("+OK\r\n") == progress::pending));
    const auto info = bulk("# Server\r\nredis_version:7.0.15\r\nredis_mode:standalone\r\n"
                           "run_id:0123456789abcdef\r\nuptime_in_seconds:86400\r\n");
    BOOST_TEST((to.take(info) == progress::complete));
    BOOST_TEST(to.steps.resp3());
    const auto& server = to.steps.server();
    BOOST_TEST(server.product == "redis");
    BOOST_TEST(server.version == "7.0.15");
    BOOST_TEST(server.role == "master");
    BOOST_TEST(server.mode == "standalone");
    BOOST_TEST(server.run_id == "0123456789abcdef");
    BOOST_TEST(server.uptime.count() == 86400);
}

BOOST_AUTO_TEST_CASE(falls_back_to_resp2_and_logs_in_again) {
    login to(alice);
    to.written();
    BOOST_TEST((to.take(unknown_hello) == progress::pending));
    // What followed HELLO lacked the login.
    BOOST_TEST((to.take("-NOAUTH Authentication required.\r\n") == progress::pending));
    check_lines(to.written(), {});
    BOOST_TEST((to.take("-NOAUTH Authentication required.\r\n") == progress::pending));
    check_lines(to.written(), {"AUTH alice s3cret", "CLIENT SETNAME redlock", "SELECT 7", "INFO"});
    for (int i = 0; i < 3; ++i)
        BOOST_TEST((to.take("+OK\r\n") == progress::pending));
    BOOST_TEST((to.take(bulk("redis_version:5.0.14\r\nrole:slave\r\n")) == progress::complete));
    BOOST_TEST(!to.steps.resp3());
    BOOST_TEST(to.steps.server().version == "5.0.14");
    BOOST_TEST(to.steps.server().role == "replica");
}

BOOST_AUTO_TEST_CASE(falls_back_when_resp3_or_hello_is_refused) {
    for (const char* refusal :
         {"-NOPROTO unsupported protocol version\r\n", "-NOAUTH Authentication required.\r\n",
          "-NOPERM this user has no permissions to run the 'hello' command\r\n"}) {
        login to(password_only);
        to.written();
        to.take(refusal);
        to.take("-NOAUTH Authentication required.\r\n");
        check_lines(to.written(), {"AUTH pass", "CLIENT SETNAME redlock", "INFO"});
    }
}

BOOST_AUTO_TEST_CASE(the_clock_is_asked_for_where_it_is_wanted) {
    login to(anonymous, "redlock", {.clock = true});
    check_lines(to.written(), {"HELLO 3 SETNAME redlock", "INFO", "TIME"});
    to.take(hello_reply);
    BOOST_TEST((to.take(bulk("role:master\r\nmaxmemory:1048576\r\nmaxmemory_policy:allkeys-lru\r\n")) ==
                progress::pending));
    BOOST_TEST((to.take("*2\r\n" + bulk("1700000000") + bulk("250000")) == progress::complete));
    BOOST_TEST((to.steps.server().clock == std::chrono::microseconds(1'700'000'000'250'000)));
    BOOST_TEST(may_evict_locks(to.steps.server()));
}

BOOST_AUTO_TEST_CASE(a_clock_that_tells_no_time_is_refused) {
    for (const std::string& reply :
         {std::string("+noon\r\n"), std::string("*0\r\n"), "*2\r\n" + bulk("-1") + bulk("0"),
          "*2\r\n" + bulk("99999999999999999") + bulk("0"), "*2\r\n" + bulk("x") + bulk("0"),
          // A time that our nanoseconds cannot hold, and more microseconds than a second has.
          "*2\r\n" + bulk("4398046511104") + bulk("0"), "*2\r\n" + bulk("9223372037") + bulk("0"),
          "*2\r\n" + bulk("1") + bulk("1000000"), "*2\r\n" + bulk("1") + bulk("1x")}) {
        login to(anonymous, "redlock", {.clock = true});
        to.take(hello_reply);
        to.take(bulk(""));
        BOOST_TEST((to.take(reply) == progress::failed));
        BOOST_TEST((to.steps.failure() == errc::protocol_error));
    }
}

BOOST_AUTO_TEST_CASE(does_without_what_is_forbidden) {
    login to(anonymous);
    to.take(hello_reply);
    BOOST_TEST((to.take("-NOPERM this user has no permissions to run the 'info' command\r\n") ==
                progress::complete));
    BOOST_TEST(to.steps.server().run_id.empty());
    BOOST_TEST(to.steps.server().uptime.count() == -1);

    login old(anonymous);
    old.take(unknown_hello);
    old.take(bulk(""));
    old.take("-NOPERM this user has no permissions to run the 'client|setname' command\r\n");
    BOOST_TEST((old.take("-ERR unknown command 'INFO'\r\n") == progress::complete));
}

// It answers this much while it loads, and refuses locks and unlocks.
BOOST_AUTO_TEST_CASE(a_server_that_loads_its_data_cannot_serve_yet) {
    login early(anonymous);
    BOOST_TEST((early.take(hello_reply) == progress::pending));
    BOOST_TEST((early.take(bulk("run_id:1\r\nloading:1\r\n")) == progress::failed));
    BOOST_TEST((early.steps.failure() == errc::node_unavailable));
    login later(anonymous);
    BOOST_TEST((later.take(hello_reply) == progress::pending));
    BOOST_TEST((later.take(bulk("run_id:1\r\nloading:0\r\n")) == progress::complete));
}

struct refusal {
    const char* reply; ///< to HELLO
    errc why;
};
std::ostream& operator<<(std::ostream& out, const refusal& r) { return out << r.reply; }

const refusal refusals[]{
    {"-WRONGPASS invalid username-password pair or user is disabled.\r\n", errc::authentication_failed},
    {"-NOAUTH HELLO must be called with the client already authenticated\r\n", errc::authentication_failed},
    {"-LOADING Redis is loading the dataset in memory\r\n", errc::node_unavailable},
    {"-MASTERDOWN Link with MASTER is down\r\n", errc::node_unavailable},
    {"-BUSY Redis is busy running a script.\r\n", errc::node_unavailable},
    {"-ERR max number of clients reached\r\n", errc::node_unavailable},
    {"-DENIED Redis is running in protected mode\r\n", errc::permission_denied},
    {"-ERR some nonsense\r\n", errc::protocol_error},
    {"-\r\n", errc::protocol_error},
    {"+OK\r\n", errc::protocol_error},
    {":1\r\n", errc::protocol_error},
    {"$-1\r\n", errc::protocol_error},
    {"*3\r\n:1\r\n:2\r\n:3\r\n", errc::protocol_error},
};

BOOST_DATA_TEST_CASE(a_refused_hello_ends_it, boost::unit_test::data::make(refusals), given) {
    login to(alice);
    BOOST_TEST((to.take(given.reply) == progress::failed));
    BOOST_TEST((to.steps.failure() == given.why));
    BOOST_TEST(!to.steps.problem().empty());
}

BOOST_AUTO_TEST_CASE(a_refused_database_ends_it) {
    login forbidden(alice);
    forbidden.take(hello_reply);
    BOOST_TEST((forbidden.take("-NOPERM this user has no permissions\r\n") == progress::failed));
    BOOST_TEST((forbidden.steps.failure() == errc::permission_denied));

    login absent(alice);
    absent.take(hello_reply);
    BOOST_TEST((absent.take("-ERR DB index is out of range\r\n") == progress::failed));
    BOOST_TEST((absent.steps.failure() == errc::server_error));
    BOOST_TEST(absent.steps.problem() == "refused SELECT 7: ERR DB index is out of range");
}

BOOST_AUTO_TEST_CASE(every_error_to_auth_is_a_failed_login) {
    login to(alice);
    to.take(unknown_hello);
    to.take("-NOAUTH Authentication required.\r\n");
    to.take("-NOAUTH Authentication required.\r\n");
    BOOST_TEST((to.take("-ERR invalid password\r\n") == progress::failed));
    BOOST_TEST((to.steps.failure() == errc::authentication_failed));
}

BOOST_AUTO_TEST_CASE(a_wanted_password_shows_at_the_latest_at_info) {
    login to(anonymous);
    to.take(unknown_hello);
    to.take("-NOAUTH Authentication required.\r\n");
    to.take("-NOAUTH Authentication required.\r\n"); // CLIENT SETNAME
    BOOST_TEST((to.steps.failure() == errc::authentication_failed));
}

BOOST_AUTO_TEST_CASE(no_text_holds_the_password) {
    const std::string echo = "-ERR what is 's3cret'?\r\n";
    for (const std::string before : {"", "hello", "auth"}) {
        login to(alice);
        if (before == "hello") to.take(hello_reply);
        if (before == "auth") {
            to.take(unknown_hello);
            to.take("-NOAUTH Authentication required.\r\n");
            to.take("-NOAUTH Authentication required.\r\n");
        }
        BOOST_TEST((to.take(echo) == progress::failed));
        BOOST_TEST(!to.steps.problem().empty());
        BOOST_TEST(to.steps.problem().find("s3cret") == std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(the_servers_words_are_cut_and_made_printable) {
    login to(alice);
    to.take(hello_reply);
    to.take("-ERR \x1b[31m" + std::string(5000, 'x') + "\r\n");
    BOOST_TEST(to.steps.problem().size() < 200u);
    BOOST_TEST(to.steps.problem().find('\x1b') == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
