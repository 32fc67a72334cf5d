// Servers that say of slots, and of where a command goes, what no cluster says; or only one that is not well.

#include "../client/lock_fixture.hpp"
#include "engines/redis/node/cluster/hash_slot.hpp"
#include "support/false_server.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <functional>
#include <ostream>
#include <string>
#include <utility>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;

constexpr unsigned last_slot = node::hash_slots - 1;

std::string range_of(unsigned first, unsigned last, const std::string& id, std::uint16_t port,
                     const std::string& host = "127.0.0.1") {
    return array({number(first), number(last), array({bulk(host), number(port), bulk(id)})});
}

/// Two masters, who have half of the slots each, as both say.
struct false_cluster_fixture : event_loop {
    false_server one{"one"};
    false_server other{"other"};
    const std::string key = key_in(0, last_slot / 2);
    const unsigned slot = node::hash_slot(key);

    false_cluster_fixture() {
        for (const auto& [server, id] : {std::pair(&one, "one"), std::pair(&other, "other")}) {
            server->says("CLUSTER MYID", bulk(id));
            server->says("CLUSTER INFO", bulk("cluster_state:ok\r\n"));
            server->says("ASKING", "+OK\r\n");
            server->says("SET", "_\r\n");
            server->says("EVAL", number(1));
            server->says("EVALSHA", number(1));
        }
        both_say(array({range_of(0, last_slot / 2, "one", one.port()),
                        range_of(last_slot / 2 + 1, last_slot, "other", other.port())}));
    }

    void both_say(const std::string& slots) {
        one.says("CLUSTER SLOTS", slots);
        other.says("CLUSTER SLOTS", slots);
    }
    static std::string key_in(unsigned first, unsigned last) {
        for (unsigned i = 0;; ++i) {
            std::string name = "key" + std::to_string(i);
            if (const unsigned at = node::hash_slot(name); first <= at && at <= last) return name;
        }
    }
    std::string error(std::string_view what, const false_server& where, int of_slot = -1) const {
        return fmt::format("-{} {} {}\r\n", what, of_slot < 0 ? static_cast<int>(slot) : of_slot,
                           where.place());
    }
    config settings(const std::string& login = {}) const {
        config c;
        c.nodes = {fmt::format("redis+cluster://{}{},{}", login, one.place(), other.place())};
        c.node_timeout = 3s;
        return c;
    }
    static node_metrics node(const client& locks) { return locks.metrics().nodes.front(); }
    bool becomes(const client& locks, const std::string& state) {
        return run_until([&] { return node(locks).state == state; });
    }
    error_code try_lock(client& locks, const std::string& name) {
        outcome<lease> result;
        locks.async_lock(name, once(), result.handler());
        BOOST_REQUIRE(run_until([&] { return result.done(); }));
        return result.error();
    }
    /// How often a vote for the key was asked for.
    unsigned tries() const { return one.asked("SET", key) + other.asked("SET", key); }
};

/// Where a command is sent on, without end.
struct course_of_errors {
    const char* name;
    std::function<void(false_cluster_fixture&)> make;
    unsigned most_tries;
};
std::ostream& operator<<(std::ostream& out, const course_of_errors& c) { return out << c.name; }

const course_of_errors endless_courses[] = {
    {"moved to where it is", [](auto& f) { f.one.says("SET", f.error("MOVED", f.one)); }, 6},
    {"moved to and fro",
     [](auto& f) {
         f.one.says("SET", f.error("MOVED", f.other));
         f.other.says("SET", f.error("MOVED", f.one));
     },
     6},
    {"asked to and fro",
     [](auto& f) {
         f.one.says("SET", f.error("ASK", f.other));
         f.other.says("SET", f.error("ASK", f.one));
     },
     6},
    {"always on its way", [](auto& f) { f.one.says("SET", "-TRYAGAIN later\r\n"); }, 1},
    {"down for one command", [](auto& f) { f.one.says("SET", "-CLUSTERDOWN Hash slot not served\r\n"); }, 1},
};

/// What a server may answer in place of how the slots are dealt out.
struct nonsense {
    const char* name;
    std::function<std::string(const false_cluster_fixture&)> slots;
};
std::ostream& operator<<(std::ostream& out, const nonsense& n) { return out << n.name; }

const nonsense no_slots[] = {
    {"slots of two owners",
     [](const auto& f) {
         return array(
             {range_of(0, 9000, "one", f.one.port()), range_of(9000, last_slot, "other", f.other.port())});
     }},
    {"more slots than there are",
     [](const auto& f) { return array({range_of(0, 16'384, "one", f.one.port())}); }},
    {"an owner for each slot",
     [](const auto&) {
         std::vector<std::string> all;
         for (unsigned at = 0; at <= last_slot; ++at)
             all.push_back(range_of(at, at, fmt::format("id{}", at), static_cast<std::uint16_t>(at + 1)));
         return array(all);
     }},
    {"a host that is none",
     [](const auto& f) { return array({range_of(0, last_slot, "one", f.one.port(), "\x1b[2J")}); }},
    {"a word", [](const auto&) { return std::string("+OK\r\n"); }},
};

BOOST_FIXTURE_TEST_SUITE(hostile_clusters, false_cluster_fixture)

BOOST_AUTO_TEST_CASE(one_that_keeps_to_the_rules_is_taken_for_a_cluster) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes(locks, "ready"));
    BOOST_TEST(!try_lock(locks, key));
    BOOST_TEST(one.asked("SET", key) == 1u);
    BOOST_TEST(!try_lock(locks, key_in(last_slot / 2 + 1, last_slot)));
}

// A command is sent on five times at the most, and the call ends.
BOOST_DATA_TEST_CASE_F(false_cluster_fixture, no_command_goes_round_for_ever, data::make(endless_courses),
                       course) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes(locks, "ready"));
    course.make(*this);
    BOOST_TEST(try_lock(locks, key) == errc::no_quorum);
    BOOST_TEST(tries() >= 1u);
    BOOST_TEST(tries() <= course.most_tries);
    run(locks.async_close(asio::use_awaitable));
}

BOOST_AUTO_TEST_CASE(a_slot_that_was_not_asked_about_moves_nothing) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes(locks, "ready"));
    one.says("SET", error("MOVED", other, last_slot));
    BOOST_TEST(try_lock(locks, key) == errc::server_error);
    BOOST_TEST(other.asked("SET", key) == 0u);
    BOOST_TEST(tries() == 1u);
}

BOOST_AUTO_TEST_CASE(what_has_moved_to_nowhere_fails_in_time_and_the_map_puts_it_right) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes(locks, "ready"));
    one.says("SET", fmt::format("-MOVED {} 127.0.0.1:1\r\n", slot));
    BOOST_TEST(try_lock(locks, key) == errc::no_quorum);
    one.says("SET", "_\r\n");
    BOOST_TEST(run_until([&] { return !try_lock(locks, key); }));
    BOOST_TEST(other.asked("SET", key) == 0u);
}

BOOST_AUTO_TEST_CASE(a_slot_that_nobody_has_holds_up_no_other) {
    both_say(array(
        {range_of(0, slot - 1, "one", one.port()), range_of(slot + 1, last_slot, "other", other.port())}));
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes(locks, "ready"));
    BOOST_TEST(try_lock(locks, key) == errc::no_quorum);
    BOOST_TEST(tries() == 0u);
    BOOST_TEST(!try_lock(locks, key_in(slot + 1, last_slot)));
}

BOOST_AUTO_TEST_CASE(masters_that_contradict_each_other_have_no_say) {
    other.says("CLUSTER SLOTS", array({range_of(0, last_slot / 2, "other", other.port()),
                                       range_of(last_slot / 2 + 1, last_slot, "one", one.port())}));
    client locks(context.get_executor(), settings());
    BOOST_TEST(becomes(locks, "unavailable"));
    BOOST_TEST(try_lock(locks, key) == errc::no_quorum);
    BOOST_TEST(tries() == 0u);
}

BOOST_DATA_TEST_CASE_F(false_cluster_fixture, what_cannot_be_is_named_and_not_followed, data::make(no_slots),
                       wrong) {
    both_say(wrong.slots(*this));
    client locks(context.get_executor(), settings());
    BOOST_TEST(becomes(locks, "unavailable"));
    BOOST_TEST(run_until([&] {
        return node(locks).last_error_text.find(
                   "does not say how its slots are dealt out: nothing that is known") != std::string::npos;
    }));
    BOOST_TEST(node(locks).last_error_text.size() < 500u);
    BOOST_TEST(try_lock(locks, key) == errc::server_error);
    BOOST_TEST(tries() == 0u);
}

BOOST_AUTO_TEST_CASE(a_reply_without_end_is_not_taken_in) {
    for (const char* start : {"*1099511627776\r\n", "$2147483648\r\n"}) {
        both_say(start);
        client locks(context.get_executor(), settings());
        BOOST_TEST(run_until(
            [&] { return node(locks).last_error_text.find("sent no valid RESP") != std::string::npos; }));
        BOOST_TEST(try_lock(locks, key).failed());
    }
}

BOOST_AUTO_TEST_CASE(a_password_in_an_answer_is_not_shown) {
    both_say("-NOPERM hunter2 may not say so\r\n");
    client locks(context.get_executor(), settings(":hunter2@"));
    BOOST_TEST(run_until([&] {
        return node(locks).last_error_text.find("dealt out: (words withheld)") != std::string::npos;
    }));
    BOOST_TEST(node(locks).last_error_text.find("hunter2") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
