#include "lock_fixture.hpp"
#include "support/scripted_peer.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;

// A server that is not Redis, or not any more.
struct impostor {
    const char* name;
    peer_script (*script)();
};
std::ostream& operator<<(std::ostream& out, const impostor& i) { return out << i.name; }

peer_script close_in_the_middle() {
    peer_script script = always_answers("%1\r\n$6\r\nserver\r\n");
    script.close_after = 9;
    return script;
}

const impostor impostors[] = {
    {"a web server", http_server},
    {"random bytes", [] { return random_bytes(1, 10'000); }},
    {"other random bytes", [] { return random_bytes(2, 10'000); }},
    {"an endless line", endless_line},
    {"a bulk string of 2 GiB", huge_bulk},
    {"an array of 2^40 elements", [] { return always_answers("*1099511627776\r\n"); }},
    {"a negative length", [] { return always_answers("$-5\r\n"); }},
    {"nested for ever", [] { return always_answers(std::string(100'000, '*')); }},
    {"endless nested arrays",
     [] {
         peer_script script = always_answers("");
         for (int i = 0; i < 10'000; ++i)
             script.endless += "*1\r\n";
         return script;
     }},
    {"more replies than commands",
     [] { return always_answers("+OK\r\n+OK\r\n+OK\r\n+OK\r\n+OK\r\n+OK\r\n"); }},
    {"a greeting nobody asked for",
     [] {
         peer_script script;
         script.greeting = "220 mail.example SMTP\r\n";
         return script;
     }},
};

struct hostile_server_test_fixture : lock_fixture {
    config with(std::vector<std::string> uris) {
        config c = settings();
        c.node_timeout = 1s;
        c.nodes = std::move(uris);
        return c;
    }
};

BOOST_FIXTURE_TEST_SUITE(hostile_server, hostile_server_test_fixture)

BOOST_DATA_TEST_CASE_F(hostile_server_test_fixture, a_majority_that_is_not_redis_is_a_protocol_error,
                       data::make(impostors), who) {
    scripted_peer one(who.script());
    scripted_peer two(who.script());
    scripted_peer three(who.script());
    client locks(context.get_executor(),
                 with({one.uri(), nodes[0].uri(), two.uri(), three.uri(), nodes[1].uri()}));
    // The first call may come before the peers have shown what they are.
    BOOST_TEST(run_until([&] { return try_lock(locks, "key") == errc::protocol_error; }));
    const node_metrics seen = locks.metrics().nodes.at(0);
    BOOST_TEST(seen.last_error == errc::protocol_error);
    BOOST_TEST(seen.last_error_text.find(std::to_string(one.port())) != std::string::npos);
    BOOST_TEST(seen.last_error_text.size() < 500u);
    close(locks);
    BOOST_TEST(nodes.holders("key") == 0u);
    // It stops reading what it does not understand.
    BOOST_TEST(one.bytes_sent() < 64u * 1024 * 1024);
}

BOOST_DATA_TEST_CASE_F(hostile_server_test_fixture, a_minority_that_is_not_redis_does_no_harm,
                       data::make(impostors), who) {
    scripted_peer one(who.script());
    scripted_peer two(who.script());
    client locks(context.get_executor(),
                 with({one.uri(), nodes[0].uri(), two.uri(), nodes[1].uri(), nodes[2].uri()}));
    for (int i = 0; i < 10; ++i) {
        lease held = lock(locks, "key");
        BOOST_TEST(held.valid());
        BOOST_TEST(try_lock(locks, "key") == errc::held);
        BOOST_TEST(!unlock(held));
    }
    close(locks);
    BOOST_TEST(nodes.holders("key") == 0u);
}

BOOST_AUTO_TEST_CASE(a_server_that_closes_at_once_is_unavailable) {
    scripted_peer one(close_in_the_middle());
    client locks(context.get_executor(), with({one.uri()}));
    BOOST_TEST(try_lock(locks, "key") == errc::no_quorum);
    BOOST_TEST(locks.metrics().nodes.at(0).last_error == errc::node_unavailable);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
