// What each piece of news of a key leads to.

#include "lookout_fixture.hpp"

#include <utility>

namespace redlock::test {

using namespace lookouts;

namespace {

/// It was told twice in vain that the key is free, and believes it no more at once.
waiting misled_one(core::random& draws) {
    waiting w(draws);
    w.start();
    w.held_everywhere(30s);
    w.gone(0);
    w.gone(1);
    for (int i = 0; i < 2; ++i) {
        BOOST_TEST(w.attempted);
        w.refused();
    }
    BOOST_TEST(!w.attempted);
    return w;
}

/// Whether it tries as soon as it hears that the key is free.
bool believes(waiting w) {
    w.gone(0);
    w.gone(1);
    return w.attempted;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(lookout_news, lookout_fixture)

BOOST_AUTO_TEST_CASE(a_key_that_was_written_or_dated_is_looked_at_soon) {
    for (const bool written : {false, true}) {
        waiting w(draws);
        w.start(false, node_set::just(2));
        w.held_everywhere(30s);
        BOOST_TEST((w.until == w.now + recheck));
        const auto hear_of = [&](unsigned node) {
            written ? w.rule.written(node, w.now) : w.rule.dated(node, w.now);
            w.go_on();
        };
        hear_of(2); // by this contender itself
        BOOST_TEST((w.until == w.now + recheck));
        w.gone(0);
        BOOST_TEST(w.attempted);
        waiting another(draws);
        another.start();
        another.held_everywhere(30s);
        written ? another.rule.written(0, another.now) : another.rule.dated(0, another.now);
        another.go_on();
        BOOST_TEST((another.until == another.now + node_timeout));
        another.now += 10ms;
        written ? another.rule.written(1, another.now) : another.rule.dated(1, another.now);
        another.go_on();
        BOOST_TEST((another.until == another.now + node_timeout - 10ms)); // no later for it
    }
}

BOOST_AUTO_TEST_CASE(who_writes_it_where_it_was_free_has_it) {
    waiting w(draws);
    w.start();
    w.held_everywhere(30s);
    w.gone(0);
    w.rule.written(0, w.now);
    w.gone(1);
    BOOST_TEST(!w.attempted);
    w.gone(2);
    BOOST_TEST(w.attempted);
}

BOOST_AUTO_TEST_CASE(a_node_that_goes_is_not_free_any_more) {
    waiting w(draws);
    w.start();
    w.held_everywhere(30s);
    w.gone(0);
    w.down(0);
    w.gone(1);
    BOOST_TEST(!w.attempted);
    w.gone(2);
    BOOST_TEST(w.attempted);
}

BOOST_AUTO_TEST_CASE(news_are_believed_again_once_so_many_nodes_have_it_held_for_a_while) {
    BOOST_TEST(!believes(misled_one(draws)));
    for (const auto& [left_of_it, lasts] :
         {std::pair(longest_pause, true), std::pair(longest_pause - 1ns, false)}) {
        waiting w = misled_one(draws);
        w.held(0, left_of_it);
        BOOST_TEST(!believes(w)); // one alone may be wrong
        w.held(1, left_of_it);
        BOOST_TEST(believes(w) == lasts);
    }
    waiting endless = misled_one(draws);
    endless.held(0, std::nullopt);
    endless.held(1, std::nullopt);
    BOOST_TEST(believes(endless));
    // What they said before the last try says nothing of it.
    waiting w = misled_one(draws);
    w.held(0, 30s);
    w.gone(0);
    w.sleep();
    BOOST_REQUIRE(w.attempted);
    w.refused();
    w.held(1, 30s);
    BOOST_TEST(!believes(w));
}

BOOST_AUTO_TEST_CASE(or_another_holder_was_named) {
    waiting w = misled_one(draws);
    w.sleep();
    BOOST_REQUIRE(w.attempted);
    w.rule.sight().refused_for(1);
    w.refused();
    w.held(0, 50ms);
    w.held(1, 50ms);
    BOOST_TEST(believes(w));
}

BOOST_AUTO_TEST_CASE(alone_with_an_arbiter_that_misleads_it_looks_there) {
    waiting w(draws);
    w.start(true);
    w.held(arbiter, 30s);
    w.gone(arbiter);
    BOOST_REQUIRE(w.attempted);
    w.rule.sight().taken(arbiter);
    w.refused(true); // for nobody that it knows of
    BOOST_TEST(w.rule.is_narrow());
    BOOST_TEST((w.looked == node_set::just(arbiter)));
}

BOOST_AUTO_TEST_CASE(alone_with_the_arbiter_it_believes_that_again_once_it_has_it_held_for_a_while) {
    for (const bool is_held : {false, true}) {
        waiting w(draws);
        w.start(true);
        w.held(arbiter, 30s);
        for (int i = 0; i < 2; ++i) {
            w.gone(arbiter);
            BOOST_REQUIRE(w.attempted);
            w.rule.sight().taken(arbiter);
            w.refused(true);
        }
        BOOST_REQUIRE(w.rule.is_narrow());
        w.held(arbiter, is_held ? nanoseconds(30s) : nanoseconds(5ms));
        w.gone(arbiter);
        BOOST_TEST(w.attempted == is_held);
    }
}

BOOST_AUTO_TEST_CASE(who_has_it_on_some_nodes_listens_to_all_in_a_crowd_too) {
    waiting w(draws);
    w.start(true, node_set::just(0));
    BOOST_TEST(!w.rule.is_narrow());
    BOOST_TEST((w.listened == all));
    waiting of_nobody(draws);
    of_nobody.ready = {};
    of_nobody.start(true);
    BOOST_TEST(!of_nobody.rule.is_narrow());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
