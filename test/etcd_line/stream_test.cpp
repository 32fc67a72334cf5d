#include "etcd_line/line_fixture.hpp"

namespace redlock::test {

namespace {

struct stream_fixture : member_fixture, line_fixture {
    stream_fixture() : line_fixture(to_ports({server.port()})) { BOOST_TEST_REQUIRE(loop.serves()); }

    messages::lease_id lease(std::chrono::seconds life) {
        const std::string r =
            answer(etcd::methods::lease_grant, encoded(messages::lease_grant_request{.life = life}));
        return decoded<messages::lease_grant_result>(r).content.id;
    }
    bool hears(const heard_stream& s, std::size_t count) {
        return loop.run_until([&] { return s.messages.size() >= count; });
    }
    void watch(heard_stream& s, const std::string& key) {
        loop.turn([&] {
            s.open();
            s.send(encoded(messages::watch_create_request{.key = key}), true);
        });
        BOOST_TEST_REQUIRE(hears(s, 1));
        BOOST_TEST(decoded<messages::watch_result>(s.messages.front()).content.created);
        s.messages.pop_front();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(stream_suite, stream_fixture)

BOOST_AUTO_TEST_CASE(a_watch_tells_what_happens) {
    heard_stream watches(etcd::methods::watch, loop.line());
    watch(watches, "key");
    BOOST_TEST(watches.awaited() == 0u);
    answer(etcd::methods::put, put("key", "new"));
    BOOST_TEST_REQUIRE(hears(watches, 1));
    const auto told = decoded<messages::watch_result>(watches.messages.front()).content;
    BOOST_TEST_REQUIRE(told.events.size() == 1u);
    BOOST_TEST(told.events.front().now.value == "new");
}

BOOST_AUTO_TEST_CASE(several_keep_alives_are_answered_in_order) {
    heard_stream keep(etcd::methods::lease_keep_alive, loop.line());
    const messages::lease_id first = lease(10s), second = lease(20s);
    loop.turn([&] {
        keep.open();
        for (const messages::lease_id id : {first, second, messages::lease_id(4711)})
            keep.send(encoded(messages::lease_keep_alive_request{.id = id}), true);
        BOOST_TEST(keep.awaited() == 3u);
    });
    BOOST_TEST_REQUIRE(hears(keep, 3));
    std::vector<messages::lease_keep_alive_result> all;
    for (const std::string& each : keep.messages)
        all.push_back(decoded<messages::lease_keep_alive_result>(each).content);
    BOOST_TEST((all[0] == messages::lease_keep_alive_result{.id = first, .life = 10s}));
    BOOST_TEST((all[1] == messages::lease_keep_alive_result{.id = second, .life = 20s}));
    BOOST_TEST((all[2] == messages::lease_keep_alive_result{.id = 4711, .life = 0s}));
    BOOST_TEST(keep.awaited() == 0u);
}

BOOST_AUTO_TEST_CASE(a_stream_that_is_closed_says_no_more_and_opens_again) {
    heard_stream watches(etcd::methods::watch, loop.line());
    watch(watches, "key");
    loop.turn([&] { watches.close(); });
    BOOST_TEST(!watches.is_open());
    answer(etcd::methods::put, put("key"));
    answer(etcd::methods::put, put("key"));
    BOOST_TEST(watches.messages.empty());
    watch(watches, "key");
    answer(etcd::methods::put, put("key"));
    BOOST_TEST(hears(watches, 1));
    BOOST_TEST(!watches.end.has_value());
}

BOOST_AUTO_TEST_CASE(a_watch_of_which_nothing_is_heard_for_long_goes_on) {
    heard_stream watches(etcd::methods::watch, loop.line());
    watch(watches, "key");
    // Longer than the line goes without asking for a sign of life.
    const auto later = std::chrono::steady_clock::now() + 7s;
    BOOST_TEST_REQUIRE(loop.run_until([&] { return std::chrono::steady_clock::now() > later; }));
    answer(etcd::methods::put, put("key"));
    BOOST_TEST(hears(watches, 1));
    BOOST_TEST(loop.losses.empty());
}

BOOST_AUTO_TEST_CASE(a_stream_ends_with_the_connection) {
    heard_stream watches(etcd::methods::watch, loop.line());
    watch(watches, "key");
    bool ended_before_the_line = false;
    loop.when_lost = [&] { ended_before_the_line = watches.end.has_value(); };
    server.kill(0);
    BOOST_TEST_REQUIRE(loop.loses());
    BOOST_TEST(ended_before_the_line);
    BOOST_TEST((watches.end->why == errc::node_unavailable));
    BOOST_TEST(!watches.is_open());
}

BOOST_AUTO_TEST_CASE(a_stream_may_go_while_it_is_open) {
    {
        heard_stream watches(etcd::methods::watch, loop.line());
        watch(watches, "key");
    }
    answer(etcd::methods::put, put("key"));
    BOOST_TEST(loop.losses.empty());
}

BOOST_AUTO_TEST_CASE(what_a_server_does_not_know_as_a_stream_ends) {
    static constexpr etcd::method unknown{"/etcdserverpb.Watch/Stare"};
    heard_stream s(unknown, loop.line());
    loop.turn([&] { s.open(); });
    BOOST_TEST_REQUIRE(loop.run_until([&] { return s.end.has_value(); }));
    BOOST_TEST((s.end->status == etcd::status_code::unimplemented));
    BOOST_TEST(loop.losses.empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
