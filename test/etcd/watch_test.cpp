// Watches of keys over the stream of a real server, and which of them are kept.

#include "engines/etcd/watcher.hpp"
#include "etcd_line/line_fixture.hpp"

#include <string>

namespace redlock::test {
namespace {

struct seen_watch final : etcd::key_watch {
    void watch_began() noexcept override { ++began; }
    void key_deleted() noexcept override { ++deleted; }
    unsigned began = 0, deleted = 0;
};

struct watch_fixture : member_fixture, line_fixture {
    watch_fixture() : line_fixture(to_ports({server.port()})), watches(loop.turns(), loop.line()) {
        BOOST_TEST_REQUIRE(loop.serves());
    }
    ~watch_fixture() {
        loop.turn([&] { watches.stop(); });
    }

    void watch(seen_watch& w, const std::string& key = "key") {
        loop.turn([&] { watches.watch(w, key); });
    }
    bool begins(seen_watch& w) {
        return loop.run_until([&] { return w.began > 0; });
    }
    void forget(seen_watch& w) {
        loop.turn([&] { watches.forget(w); });
    }
    void come_and_go(const std::string& key = "key") {
        answer(etcd::methods::put, put(key, "value"));
        answer(etcd::methods::delete_range, encoded(messages::delete_request{.key = key}));
    }

    etcd::watcher watches;
};

BOOST_FIXTURE_TEST_SUITE(watch_suite, watch_fixture)

BOOST_AUTO_TEST_CASE(a_watch_that_was_forgotten_serves_again_at_once) {
    seen_watch first, next;
    watch(first);
    BOOST_TEST_REQUIRE(begins(first));
    forget(first);
    watch(next);
    BOOST_TEST(next.began == 1u);
    come_and_go();
    BOOST_TEST(loop.run_until([&] { return next.deleted == 1; }));
    BOOST_TEST(first.deleted == 0u);
    BOOST_TEST(next.began == 1u);
}

BOOST_AUTO_TEST_CASE(a_watch_that_is_kept_ends_with_what_happens_to_its_key) {
    seen_watch first, other, next;
    watch(other);
    BOOST_TEST_REQUIRE(begins(other));
    watch(first);
    BOOST_TEST_REQUIRE(begins(first));
    forget(first);
    come_and_go();
    // All come over one stream, in the order in which they are made.
    BOOST_TEST_REQUIRE(loop.run_until([&] { return other.deleted == 1; }));
    seen_watch last;
    watch(last, "another");
    BOOST_TEST_REQUIRE(begins(last));
    watch(next);
    BOOST_TEST(next.began == 0u);
    BOOST_TEST(begins(next));
    come_and_go();
    BOOST_TEST(loop.run_until([&] { return next.deleted == 1; }));
}

BOOST_AUTO_TEST_CASE(a_watch_of_another_key_or_from_a_revision_is_one_of_its_own) {
    seen_watch first, other, from;
    watch(first);
    BOOST_TEST_REQUIRE(begins(first));
    forget(first);
    watch(other, "another");
    BOOST_TEST(other.began == 0u);
    loop.turn([&] { watches.watch(from, "key", 1); });
    BOOST_TEST(from.began == 0u);
    BOOST_TEST(begins(other));
    BOOST_TEST(begins(from));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
