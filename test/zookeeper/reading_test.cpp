// What a place does where some read and others write.

#include "engines/zookeeper/departure.hpp"
#include "engines/zookeeper/rule/place.hpp"

#include <boost/test/unit_test.hpp>

#include <ostream>
#include <string>

namespace redlock::zookeeper {

std::ostream& operator<<(std::ostream& to, place::action a);
std::ostream& operator<<(std::ostream& to, farewell f);

namespace {

using namespace std::chrono_literals;
using action = place::action;

constexpr core::instant today{100s};
constexpr core::instant always = core::instant::max();

std::string name_of_try(char c) {
    return std::string(core::lock_token(core::client_name(static_cast<std::uint64_t>(c)), 0, 1).text());
}
place_node someone(char c, std::int32_t sequence, bool reads) {
    return {.name = place_name(name_of_try(c), reads) + std::to_string(sequence),
            .token = name_of_try(c),
            .sequence = sequence,
            .reads = reads};
}
place_node writes(char c, std::int32_t sequence) { return someone(c, sequence, false); }
place_node reads(char c, std::int32_t sequence) { return someone(c, sequence, true); }
reader_mark mark(char c) {
    const std::string token = name_of_try(c);
    return {.name = mark_name(token, 10s), .token = token, .life = 10s};
}
sight free_key() { return {.exists = true}; }
sight written_key(std::int32_t sequence) {
    return {.exists = true,
            .holder = lock_record{.token = name_of_try('h'), .life = 10s},
            .nodes = {writes('h', sequence)}};
}
/// By readers who are there.
sight shared_key(std::string_view readers) {
    sight s{.exists = true, .is_shared = true};
    std::int32_t sequence = 0;
    for (const char c : readers) {
        s.nodes.push_back(reads(c, sequence++));
        s.marks.push_back(mark(c));
    }
    return s;
}
missing nobody_in(const sight& s) {
    missing m;
    m.marks.assign(s.marks.size(), always);
    return m;
}
place place_of(bool reading, bool waits = true) {
    place p(waits, always, reading);
    p.queued();
    return p;
}

BOOST_AUTO_TEST_SUITE(reading)

BOOST_AUTO_TEST_CASE(readers_come_in_behind_readers_with_a_node_of_their_own) {
    for (const sight& s : {free_key(), shared_key("ab")}) {
        for (const bool waits : {false, true}) {
            place p(waits, always, true);
            BOOST_TEST(p.seen(s, name_of_try('m'), nobody_in(s), today).what == action::queue);
            BOOST_TEST(!p.has_waited());
            p.queued();
            sight with_own = s;
            with_own.nodes.push_back(reads('m', 7));
            BOOST_TEST(p.seen(with_own, name_of_try('m'), nobody_in(s), today).what == action::take);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_reader_waits_for_the_nearest_writer_before_him_and_for_no_reader) {
    place p = place_of(true);
    sight s = shared_key("ab");
    for (const place_node& n :
         {writes('x', 3), reads('c', 4), writes('y', 5), reads('d', 6), reads('m', 7), writes('z', 8)})
        s.nodes.push_back(n);
    auto step = p.seen(s, name_of_try('m'), nobody_in(s), today);
    BOOST_TEST(step.what == action::watch);
    BOOST_TEST(step.watched == writes('y', 5).name);
    BOOST_TEST(p.has_waited());
    std::erase_if(s.nodes, [](const place_node& n) { return !n.reads && n.sequence < 7; });
    BOOST_TEST(p.seen(s, name_of_try('m'), nobody_in(s), today).what == action::take);
}

BOOST_AUTO_TEST_CASE(a_reader_waits_for_who_writes) {
    place p = place_of(true);
    sight s = written_key(9);
    s.nodes.push_back(reads('m', 7));
    BOOST_TEST(p.seen(s, name_of_try('m'), {}, today).watched == writes('h', 9).name);
    s.nodes.erase(s.nodes.begin());
    const auto step = p.seen(s, name_of_try('m'), {.holder = today - 9'999ms}, today);
    BOOST_TEST(step.what == action::sleep);
    BOOST_TEST((step.until == today + 1ms));
    BOOST_TEST(p.seen(s, name_of_try('m'), {.holder = today - 10s}, today).what == action::take);
}

BOOST_AUTO_TEST_CASE(one_attempt_to_read_what_is_written_is_held) {
    place p(false, always, true);
    const sight s = written_key(1);
    BOOST_TEST((p.seen(s, name_of_try('m'), {}, today).why == errc::held));
    sight waited_for = shared_key("a");
    waited_for.nodes.push_back(writes('x', 3));
    BOOST_TEST((p.seen(waited_for, name_of_try('m'), nobody_in(waited_for), today).why == errc::held));
}

BOOST_AUTO_TEST_CASE(a_writer_waits_for_everybody_before_him_and_for_each_mark) {
    place p = place_of(false);
    sight s = shared_key("ab");
    s.nodes.push_back(writes('m', 7));
    BOOST_TEST(p.seen(s, name_of_try('m'), nobody_in(s), today).watched == reads('b', 1).name);
    // One that came behind him, by a downgrade.
    s.nodes = {reads('a', 9), writes('m', 7)};
    s.marks = {mark('a')};
    BOOST_TEST(p.seen(s, name_of_try('m'), nobody_in(s), today).watched == reads('a', 9).name);
    s.nodes = {writes('m', 7), reads('c', 8)};
    s.marks.clear();
    BOOST_TEST(p.seen(s, name_of_try('m'), {}, today).what == action::take);
}

BOOST_AUTO_TEST_CASE(a_reader_who_is_missing_is_waited_for_as_long_as_he_may_believe) {
    place p = place_of(false);
    sight s = shared_key("ab");
    s.nodes = {writes('m', 7)};
    const missing both{.marks = {today, today - 9'500ms}};
    BOOST_TEST(p.seen(s, name_of_try('m'), both, today).what == action::sleep);
    const auto last = p.seen(s, name_of_try('m'), both, today + 9'990ms);
    BOOST_TEST(last.what == action::sleep);
    BOOST_TEST((last.until == today + 10s));
    BOOST_TEST(p.seen(s, name_of_try('m'), both, today + 10s).what == action::take);
    BOOST_TEST((stale_marks(s, both, today + 500ms, 9) == std::vector<std::string>{mark('b').name}));
    BOOST_TEST(stale_marks(s, both, today + 10s, 9).size() == 2u);
    BOOST_TEST(stale_marks(s, both, today + 10s, 1).size() == 1u);
    BOOST_TEST(stale_marks(s, nobody_in(s), always - 1ns, 9).empty());
}

BOOST_AUTO_TEST_CASE(nobody_takes_a_shared_key_without_a_node) {
    for (const bool waits : {false, true}) {
        place p(waits, always);
        sight s = shared_key("");
        BOOST_TEST(p.seen(s, name_of_try('m'), {}, today).what == action::queue);
        BOOST_TEST(!p.has_waited());
        p.queued();
        s.nodes.push_back(writes('m', 1));
        BOOST_TEST(p.seen(s, name_of_try('m'), {}, today).what == action::take);
        s = shared_key("a");
        s.nodes.push_back(writes('m', 1));
        const auto step = p.seen(s, name_of_try('m'), nobody_in(s), today);
        BOOST_TEST(step.what == (waits ? action::watch : action::end));
        BOOST_TEST(p.has_waited() == waits);
    }
}

BOOST_AUTO_TEST_CASE(who_is_missing_is_found_among_holders_and_marks) {
    absences known;
    sight s = shared_key("ab");
    s.nodes.erase(s.nodes.begin());
    missing m = missing_in(s, known, "f", today);
    BOOST_TEST((m.holder == always));
    BOOST_TEST((m.marks == std::vector<core::instant>{today, always}));
    s.nodes.clear();
    m = missing_in(s, known, "f", today + 1s);
    BOOST_TEST((m.marks == std::vector<core::instant>{today, today + 1s}));
    s.holder = lock_record{.token = name_of_try('h'), .life = 10s};
    BOOST_TEST((missing_in(s, known, "f", today + 2s).holder == today + 2s));
}

BOOST_AUTO_TEST_CASE(what_a_reader_leaves_is_removed) {
    const std::string me = name_of_try('m');
    const holding nothing_sure{};
    sight s = shared_key("am");
    BOOST_TEST(farewell_to(me, nothing_sure, s) == farewell::remove_node);
    s.nodes.clear();
    BOOST_TEST(farewell_to(me, nothing_sure, s) == farewell::remove_node);
    s.marks.clear();
    BOOST_TEST(farewell_to(me, nothing_sure, s) == farewell::nothing);
}

BOOST_AUTO_TEST_CASE(names_say_who_reads) {
    const auto node = read_place(place_name(name_of_try('a'), true) + "0000000012");
    BOOST_TEST(node.value().reads);
    BOOST_TEST(node->sequence == 12);
    BOOST_TEST(!read_place(place_name(name_of_try('a')) + "0000000012").value().reads);
    const auto read = read_mark(mark_name(name_of_try('a'), 1234ms));
    BOOST_TEST(read.value().token == name_of_try('a'));
    BOOST_TEST((read->life == 1234ms));
    BOOST_TEST(!read_place(read->name));
    BOOST_TEST(!read_mark(node->name));
    for (const char* const end : {":", ":0", ":-1", ":x", ":1x", ":99999999999999999999", ";1", ""})
        BOOST_TEST(!read_mark(name_of_try('a') + end), end);
    BOOST_TEST(read_mark_content(mark_text({.fence = 7, .label = "who am i"})).label == "who am i");
    BOOST_TEST(read_mark_content(mark_text({.fence = 7})).fence == 7u);
    BOOST_TEST(read_mark_content("foreign").fence == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::zookeeper
