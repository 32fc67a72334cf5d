// Sentinels that say what none says, or that lie. A majority of those that there are decides.

#include "../client/first_node_fixture.hpp"
#include "support/false_server.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;

std::string pairs(const std::vector<std::string>& words) {
    std::vector<std::string> all;
    for (const std::string& each : words)
        all.push_back(bulk(each));
    return array(all);
}

/// As `SENTINEL MASTER` describes it.
std::string master_at(std::uint16_t port, unsigned epoch = 1) {
    return pairs({"ip", "127.0.0.1", "port", std::to_string(port), "role-reported-time", "100000",
                  "config-epoch", std::to_string(epoch), "num-other-sentinels", "2"});
}

std::string sentinel_at(const std::string& host, const std::string& id) {
    return pairs({"ip", host, "port", "1", "runid", id});
}

/// Three Sentinels in the test's hand, and a real server that they name for a master; two servers beside it.
struct false_sentinel_fixture : first_node_fixture {
    std::deque<false_server> sentinels;
    redis_server master;

    false_sentinel_fixture() : first_node_fixture(2) {
        for (const char* id : {"a", "b", "c"}) {
            false_server& one = sentinels.emplace_back(id);
            one.says("SENTINEL MYID", bulk(id));
            one.says("SENTINEL SENTINELS", array({}));
            one.says("SUBSCRIBE", ">3\r\n" + bulk("subscribe") + bulk("+switch-master") + number(1));
            one.says("SENTINEL MASTER", master_at(master.port()));
        }
    }
    std::string uri(const std::string& login = {}) const {
        return fmt::format("redis+sentinel://{}{},{},{}/group", login, sentinels[0].place(),
                           sentinels[1].place(), sentinels[2].place());
    }
    config settings(const std::string& login = {}) const {
        return first_node_fixture::settings(uri(login), 0ms);
    }
};

/// What one of three may say without anybody minding.
struct minority {
    const char* name;
    std::string master;
};
std::ostream& operator<<(std::ostream& out, const minority& m) { return out << m.name; }

const minority lies[] = {
    {"no such group", "-ERR No such master with that name\r\n"},
    {"a word", "+OK\r\n"},
    {"half a pair", array({bulk("ip")})},
    {"a place that is none", master_at(0)},
    {"an older configuration", master_at(1, 0)},
    {"another master", master_at(1)},
};

BOOST_FIXTURE_TEST_SUITE(hostile_sentinels, false_sentinel_fixture)

BOOST_AUTO_TEST_CASE(three_that_agree_are_heeded) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    lease held = lock(locks, "key");
    BOOST_TEST(run_until([&] { return master.exists("key"); }));
    BOOST_TEST(!unlock(held));
    close(locks);
}

BOOST_DATA_TEST_CASE_F(false_sentinel_fixture, one_of_three_misleads_nobody, data::make(lies), lie) {
    sentinels[0].says("SENTINEL MASTER", lie.master);
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    const unsigned asked = sentinels[0].asked("SENTINEL MASTER");
    BOOST_TEST(run_until([&] { return sentinels[0].asked("SENTINEL MASTER") > asked + 2; }));
    BOOST_TEST(node(locks).state == "ready");
    BOOST_TEST(node(locks).master == fmt::format("127.0.0.1:{}", master.port()));
    close(locks);
}

// A newer configuration that one knows of ends the old master: a majority has let it lead a fail-over. So one
// that lies has the group's vote in its hand, and no other's.
BOOST_AUTO_TEST_CASE(a_newer_configuration_that_is_made_up_costs_the_vote_of_the_group_alone) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    sentinels[0].says("SENTINEL MASTER", master_at(1, 4'000'000'000));
    BOOST_TEST(becomes(locks, "unavailable"));
    BOOST_TEST(!try_lock(locks, "key"));
    sentinels[0].says("SENTINEL MASTER", master_at(master.port()));
    BOOST_TEST(becomes(locks, "ready"));
    close(locks);
}

// Each of them names another, and that one itself.
BOOST_AUTO_TEST_CASE(masters_that_are_sentinels_or_nobody_get_no_lock) {
    for (false_server& one : sentinels)
        one.says("SENTINEL MASTER", master_at(sentinels[0].port()));
    client locks(context.get_executor(), settings());
    BOOST_TEST(run_until([&] { return node(locks).last_error.failed() || node(locks).state == "ready"; }));
    BOOST_TEST(!try_lock(locks, "key"));
    for (false_server& one : sentinels)
        one.says("SENTINEL MASTER", master_at(1));
    BOOST_TEST(run_until([&] { return has_word(locks, "Connection refused"); }), node(locks).last_error_text);
    for (false_server& one : sentinels)
        one.says("SENTINEL MASTER", master_at(master.port()));
    BOOST_TEST(becomes_ready(locks));
    close(locks);
}

// One fail-over after the other: each is followed, and none is waited for.
BOOST_AUTO_TEST_CASE(a_master_that_changes_with_each_answer_holds_up_nobody) {
    redis_server other;
    const auto epoch = std::make_shared<std::atomic<unsigned>>(1);
    for (false_server& one : sentinels)
        one.answers("SENTINEL MASTER", [epoch, ports = std::array{master.port(), other.port()}](const auto&) {
            const unsigned now = ++*epoch;
            return master_at(ports[now / 3 % 2], now / 3);
        });
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(run_until([&] { return ready_nodes(locks) >= 2; }));
    for (int i = 0; i < 20; ++i)
        BOOST_TEST(!try_lock(locks, "key", patiently()));
    BOOST_TEST(run_until([&] { return epoch->load() > 12; }));
    BOOST_TEST(!try_lock(locks, "key", patiently()));
    close(locks);
}

// It connects to a few of them, one after the other, and goes on.
BOOST_AUTO_TEST_CASE(a_thousand_companions_that_are_made_up_hold_up_nobody) {
    std::vector<std::string> all;
    for (int i = 0; i < 1000; ++i)
        all.push_back(sentinel_at(fmt::format("127.1.{}.{}", i / 250, i % 250 + 1), fmt::format("id{}", i)));
    sentinels[0].says("SENTINEL SENTINELS", array(all));
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    const unsigned asked = sentinels[0].asked("SENTINEL MASTER");
    BOOST_TEST(run_until([&] { return sentinels[0].asked("SENTINEL MASTER") > asked + 2; }));
    BOOST_TEST(node(locks).state == "ready");
    close(locks);
}

// Each makes the client ask; it asks again when that was answered, and not for each of them.
BOOST_AUTO_TEST_CASE(news_without_end_are_asked_about_once_at_a_time) {
    std::string flood;
    for (int i = 0; i < 1000; ++i)
        flood += ">3\r\n" + bulk("message") + bulk("+switch-master") + bulk("group 10.0.0.1 1 10.0.0.2 1");
    sentinels[0].says("PING", "+PONG\r\n");
    sentinels[0].says("SENTINEL SENTINELS", array({}) + flood);
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    BOOST_TEST(!try_lock(locks, "key"));
    BOOST_TEST(sentinels[1].asked("SENTINEL MASTER") < 200u);
    close(locks);
}

BOOST_AUTO_TEST_CASE(a_password_that_a_sentinel_repeats_is_not_shown) {
    for (false_server& one : sentinels)
        one.says("SENTINEL MASTER", "-ERR hunter2 is no good here\r\n");
    client locks(context.get_executor(), settings(":hunter2@"));
    BOOST_TEST(run_until([&] { return has_word(locks, "says of group: (words withheld)"); }),
               node(locks).last_error_text);
    BOOST_TEST(!has_word(locks, "hunter2"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
