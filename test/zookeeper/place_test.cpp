// What a place does about everything that can stand in a folder.

#include "engines/zookeeper/departure.hpp"
#include "engines/zookeeper/rule/place.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <utility>

namespace redlock::zookeeper {

std::ostream& operator<<(std::ostream& to, place::action a) { return to << static_cast<int>(a); }
std::ostream& operator<<(std::ostream& to, farewell f) { return to << static_cast<int>(f); }

namespace {

using namespace std::chrono_literals;
using action = place::action;

constexpr core::instant now{100s};
constexpr core::instant never = core::instant::max();

std::string token_of(char c) {
    return std::string(core::lock_token(core::client_name(static_cast<std::uint64_t>(c)), 0, 1).text());
}

place_node node(char c, std::int32_t sequence) {
    return {.name = place_name(token_of(c)) + std::to_string(sequence),
            .token = token_of(c),
            .sequence = sequence};
}
lock_record record(char c) { return {.token = token_of(c), .life = 10s}; }

/// One that has a node.
place queued_place(core::instant wait_until = never) {
    place p(true, wait_until);
    p.seen({.exists = true, .holder = record('h'), .nodes = {node('h', 0)}}, token_of('m'), {}, now);
    p.queued();
    return p;
}

BOOST_AUTO_TEST_SUITE(places)

// holder: none, there, absent, absent for long; others: none, one; waits or not.
BOOST_AUTO_TEST_CASE(who_comes_takes_a_key_only_that_nobody_may_have_or_waits_for) {
    for (const int holder : {0, 1, 2, 3})
        for (const bool others : {false, true})
            for (const bool waits : {false, true}) {
                place p(waits, never);
                sight s{.exists = true};
                if (holder > 0) s.holder = record('h');
                if (holder == 1) s.nodes.push_back(node('h', 1));
                if (others) s.nodes.push_back(node('o', 2));
                const core::instant since = holder == 2 ? now - 9'999ms : holder == 3 ? now - 10s : never;
                const auto step = p.seen(s, token_of('m'), {.holder = since}, now);
                const bool is_free = holder == 0 || holder == 3;
                const action expected = is_free && !others ? action::take_at_once
                                        : waits            ? action::queue
                                                           : action::end;
                BOOST_TEST(step.what == expected, holder << others << waits);
                if (expected == action::end) BOOST_TEST((step.why == errc::held));
                BOOST_TEST(p.has_waited() == (expected == action::queue));
            }
}

/// What there may be in a folder to somebody who comes.
struct arrival {
    enum class record : unsigned { free, somebodys, shared } says;
    bool of_holder, of_writer, of_reader; ///< nodes
    bool marks, waits, reads;

    /// One for each number below `count`.
    static arrival of(unsigned n) {
        const auto next = [&n](unsigned among) { return std::exchange(n, n / among) % among; };
        const auto is = [&] { return next(2) == 1; };
        return {static_cast<record>(next(3)), is(), is(), is(), is(), is(), is()};
    }
    static constexpr unsigned count = 3 << 6;

    sight whole() const {
        sight s{.exists = true, .is_shared = says == record::shared};
        if (says == record::somebodys) s.holder = ::redlock::zookeeper::record('h');
        if (of_holder) s.nodes.push_back(node('h', 1));
        if (of_holder) s.nodes.back().reads = says == record::shared;
        if (of_writer) s.nodes.push_back(node('o', 2));
        if (of_reader) s.nodes.push_back(node('r', 3));
        if (of_reader) s.nodes.back().reads = true;
        if (marks) s.marks.push_back({.name = "mark", .token = token_of('h'), .life = 10s});
        return s;
    }
    place::step decision(const sight& s) const {
        absences known;
        place p(waits, never, reads);
        return p.seen(s, token_of('m'), missing_in(s, known, "f", now), now);
    }
};

BOOST_AUTO_TEST_CASE(who_comes_does_the_same_without_the_holders_name_where_it_need_not_be_known) {
    unsigned unknown = 0;
    for (unsigned n = 0; n < arrival::count; ++n) {
        const arrival a = arrival::of(n);
        const sight whole = a.whole();
        sight nameless = whole;
        nameless.holder.reset();
        if (!suffices_for_arrival(nameless, a.says == arrival::record::free, a.reads)) continue;
        unknown += whole.holder.has_value();
        BOOST_TEST(a.decision(nameless).what == a.decision(whole).what, n);
        BOOST_TEST((a.decision(nameless).why == a.decision(whole).why), n);
    }
    BOOST_TEST(unknown > arrival::count / 6);
}

BOOST_AUTO_TEST_CASE(who_waits_watches_the_one_before_and_then_the_holder) {
    place p = queued_place();
    sight s{.exists = true,
            .holder = record('h'),
            .nodes = {node('h', 9), node('a', 3), node('b', 5), node('m', 7), node('c', 8)}};
    auto step = p.seen(s, token_of('m'), {}, now);
    BOOST_TEST(step.what == action::watch);
    BOOST_TEST(step.watched == node('b', 5).name);
    s.nodes = {node('h', 9), node('m', 7), node('c', 8)};
    step = p.seen(s, token_of('m'), {}, now);
    BOOST_TEST(step.what == action::watch);
    BOOST_TEST(step.watched == node('h', 9).name);
    s.holder.reset();
    s.nodes = {node('m', 7), node('c', 8)};
    BOOST_TEST(p.seen(s, token_of('m'), {}, now).what == action::take);
}

BOOST_AUTO_TEST_CASE(an_absent_holder_is_waited_for_as_long_as_he_may_believe) {
    place p = queued_place();
    const sight s{.exists = true, .holder = record('h'), .nodes = {node('m', 7)}};
    auto step = p.seen(s, token_of('m'), {.holder = now}, now);
    BOOST_TEST(step.what == action::sleep);
    BOOST_TEST((step.until <= now + 10s));
    BOOST_TEST(p.seen(s, token_of('m'), {.holder = now}, now + 9'999ms).what == action::sleep);
    BOOST_TEST(p.seen(s, token_of('m'), {.holder = now}, now + 10s).what == action::take);
}

BOOST_AUTO_TEST_CASE(a_node_that_is_gone_is_no_place_any_more) {
    place p = queued_place();
    BOOST_TEST(p.seen({.exists = true}, token_of('m'), {}, now).what == action::anew);
    BOOST_TEST(!p.has_node());
    BOOST_TEST(p.seen({.exists = true}, token_of('n'), {}, now).what == action::take_at_once);
}

BOOST_AUTO_TEST_CASE(the_time_to_wait_comes_to_its_end) {
    place p = queued_place(now + 1s);
    const sight s{.exists = true, .holder = record('h'), .nodes = {node('h', 0), node('m', 1)}};
    const auto step = p.seen(s, token_of('m'), {}, now);
    BOOST_TEST((step.until == now + 1s));
    const auto end = p.time_passed(now + 1s);
    BOOST_TEST(end.what == action::end);
    BOOST_TEST((end.why == errc::wait_timeout));
}

BOOST_AUTO_TEST_CASE(numbers_that_run_over_keep_their_order) {
    constexpr auto last = std::numeric_limits<std::int32_t>::max();
    constexpr auto first = std::numeric_limits<std::int32_t>::min();
    BOOST_TEST(node('a', last).is_before(node('b', first)));
    BOOST_TEST(!node('b', first).is_before(node('a', last)));
    BOOST_TEST(node('a', 1).is_before(node('b', 2)));
    BOOST_TEST(!node('a', 2).is_before(node('b', 2)));
    place p = queued_place();
    const sight s{.exists = true, .holder = {}, .nodes = {node('a', last), node('m', first)}};
    BOOST_TEST(p.seen(s, token_of('m'), {}, now).watched == node('a', last).name);
    const auto read = read_place(place_name(token_of('a')) + "-2147483648");
    BOOST_TEST(read.value().sequence == first);
}

BOOST_AUTO_TEST_CASE(what_is_left_to_do_about_a_try_that_is_over) {
    const std::string me = token_of('m');
    const holding sure{}, doubts{.doubt = 4};
    const sight free{.exists = true, .version = 4};
    sight mine{.exists = true, .version = 5, .holder = record('m'), .nodes = {node('m', 1)}};
    sight others{.exists = true, .version = 5, .holder = record('h'), .nodes = {node('m', 1)}};
    BOOST_TEST(farewell_to(me, sure, free) == farewell::nothing);
    BOOST_TEST(farewell_to(me, doubts, free) == farewell::void_record);
    BOOST_TEST(farewell_to(me, sure, mine) == farewell::free_record);
    BOOST_TEST(farewell_to(me, doubts, mine) == farewell::free_record);
    BOOST_TEST(farewell_to(me, sure, others) == farewell::remove_node);
    BOOST_TEST(farewell_to(me, doubts, others) == farewell::remove_node);
    others.nodes.clear();
    BOOST_TEST(farewell_to(me, doubts, others) == farewell::nothing);
    BOOST_TEST(farewell_to(me, doubts, sight{}) == farewell::nothing);
}

BOOST_AUTO_TEST_CASE(an_absence_counts_from_when_it_was_first_seen) {
    using instants = std::vector<core::instant>;
    absences known;
    BOOST_TEST((known.missing_since("f", {"a"}, now) == instants{now}));
    BOOST_TEST((known.missing_since("f", {"a"}, now + 5s) == instants{now}));
    BOOST_TEST((known.missing_since("f", {"b", "a"}, now + 6s) == instants{now + 6s, now}));
    BOOST_TEST((known.missing_since("f", {"b"}, now + 7s) == instants{now + 6s}));
    BOOST_TEST((known.missing_since("f", {"a"}, now + 8s) == instants{now + 8s}));
    known.missing_since("f", {}, now + 8s);
    BOOST_TEST(known.size() == 0u);
    BOOST_TEST((known.missing_since("f", {"a"}, now + 9s) == instants{now + 9s}));
    for (std::size_t i = 0; i < 2 * absences::most; ++i)
        known.missing_since("f" + std::to_string(i), {"a"}, now + 10s);
    BOOST_TEST(known.size() == absences::most);
}

BOOST_AUTO_TEST_CASE(records_are_read_as_they_were_written) {
    const lock_record r{.token = token_of('a'), .life = 1234ms, .fence = 77, .label = "who am i"};
    const auto read = read_content(r.text());
    BOOST_REQUIRE(read.holder.has_value());
    BOOST_TEST(read.holder->token == r.token);
    BOOST_TEST((read.holder->life == r.life));
    BOOST_TEST(read.holder->fence == 77u);
    BOOST_TEST(read.holder->label == "who am i");
    BOOST_TEST(read_content("").is_ours);
    BOOST_TEST(!read_content("").holder);
    BOOST_TEST(read_content(shared_record).is_ours);
    BOOST_TEST(read_content(shared_record).is_shared);
    BOOST_TEST(!read_content(shared_record).holder);
    BOOST_TEST(!read_content(r.text()).is_shared);
    for (const std::string& foreign :
         {std::string("x"), token_of('a'), token_of('a') + " 0 0", token_of('a') + " -1 0",
          token_of('a') + " 1", token_of('a') + " 1 -1", std::string(core::lock_token::size, '!') + " 1 0",
          token_of('a') + " 99999999999999999999 0"})
        BOOST_TEST(!read_content(foreign).is_ours, foreign);
}

BOOST_AUTO_TEST_CASE(keys_become_names_and_names_keys) {
    for (const std::string& key :
         {std::string("a"), std::string("."), std::string(".."), std::string("zookeeper"),
          std::string("a/b%c d"), std::string("\0\x80\xff", 3)}) {
        const std::string name = folder_name(key);
        BOOST_TEST(name.find('/') == std::string::npos);
        BOOST_TEST(name != ".");
        BOOST_TEST(name != "..");
        BOOST_TEST(name != "zookeeper");
        BOOST_TEST(key_of_folder(name).value() == key);
    }
    for (const char* const none : {"", "%", "%4", "%4g", "%61", "a b", "%zz"})
        BOOST_TEST(!key_of_folder(none), none);
}

// Of one who leads: whether his place is there, a value is, and one may come yet; the record his, nobody's or
// another's who is there.
BOOST_AUTO_TEST_CASE(what_a_leader_leaves_goes_with_his_key_and_nobody_elses_does) {
    for (const bool is_there : {false, true})
        for (const bool has_value : {false, true})
            for (const bool may_come : {false, true})
                for (const char whose : {'m', '-', 'o'}) {
                    holding has{.says = std::make_shared<statement>()};
                    has.says->proclaim(1, "x");
                    has.says->next();
                    has.says->answered(may_come ? statement::answer::unknown : statement::answer::done);
                    sight s{.exists = true, .has_leader = has_value};
                    if (whose != '-') s.holder = record(whose);
                    if (is_there) s.nodes.push_back(node('m', 1));
                    if (whose == 'o') s.nodes.push_back(node('o', 2));
                    const farewell names_it = is_there && may_come && !has_value ? farewell::remove_node_first
                                                                                 : farewell::free_record;
                    const farewell expected = whose == 'm'                ? names_it
                                              : is_there                  ? farewell::remove_node
                                              : has_value && whose == '-' ? farewell::remove_leader
                                                                          : farewell::nothing;
                    BOOST_TEST(farewell_to(token_of('m'), has, s) == expected,
                               is_there << has_value << may_come << whose);
                    has.says.reset();
                    const farewell of_others = whose == 'm' ? farewell::free_record
                                               : is_there   ? farewell::remove_node
                                                            : farewell::nothing;
                    BOOST_TEST(farewell_to(token_of('m'), has, s) == of_others);
                }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::zookeeper
