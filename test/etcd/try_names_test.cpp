// What tries are called, and when a name serves again.

#include "engines/etcd/rule/try_names.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace redlock::etcd {
namespace {

struct names_fixture {
    std::uint64_t drawn = 0;
    try_names names{core::client_name(1), [this] { return drawn += 1'000'000; }};

    static std::string text(const try_name& n) { return std::string(n->text()); }
};

BOOST_FIXTURE_TEST_SUITE(try_names_suite, names_fixture)

BOOST_AUTO_TEST_CASE(a_name_that_was_given_back_serves_again) {
    try_name first = names.take("a"), second = names.take("a");
    const std::string one = text(first), two = text(second);
    BOOST_TEST(one != two);
    BOOST_TEST(core::is_token(one));
    second->give_back();
    BOOST_TEST(text(second = names.take("a")) == two);
    first->give_back();
    second->give_back();
    for (int i = 0; i < 3; ++i) {
        first = names.take("a");
        BOOST_TEST(text(first) == one);
        first->give_back();
    }
    BOOST_TEST(drawn == 1'000'000u);
}

BOOST_AUTO_TEST_CASE(locks_know_nothing_of_each_other) {
    const try_name a = names.take("a"), b = names.take("b");
    BOOST_TEST(text(a) == text(b));
    a->give_back();
    const try_name other = names.take("b");
    BOOST_TEST(text(other) != text(b));
    b->give_back();
    other->give_back();
}

BOOST_AUTO_TEST_CASE(behind_a_doubt_no_former_name_serves_again) {
    std::vector<std::string> before;
    const try_name held = names.take("a");
    before.push_back(text(held));
    {
        const try_name doubtful = names.take("a");
        before.push_back(text(doubtful));
    }
    const try_name next = names.take("a"), another = names.take("a");
    held->give_back();
    const try_name last = names.take("a");
    for (const try_name& each : {next, another, last})
        for (const std::string& former : before)
            BOOST_TEST(text(each) != former);
    BOOST_TEST(text(next) != text(last));
    BOOST_TEST(drawn == 2'000'000u);
    for (const try_name& each : {next, another, last})
        each->give_back();
}

BOOST_AUTO_TEST_CASE(doubts_of_an_era_that_is_over_change_nothing) {
    try_name one = names.take("a"), two = names.take("a");
    one.reset();
    const try_name next = names.take("a");
    const std::string now = text(next);
    two.reset();
    next->give_back();
    const try_name again = names.take("a");
    BOOST_TEST(text(again) == now);
    again->give_back();
}

BOOST_AUTO_TEST_CASE(a_name_outlives_the_names) {
    auto all = std::make_unique<try_names>(core::client_name(2), [] { return std::uint64_t{7}; });
    const try_name given_back = all->take("a"), doubtful = all->take("a");
    all.reset();
    given_back->give_back();
    BOOST_TEST(core::is_token(doubtful->text()));
}

BOOST_AUTO_TEST_CASE(each_try_is_shown_by_another_text) {
    const try_name taken = names.take("a");
    const std::string first = shown_try(taken->text(), 41), second = shown_try(taken->text(), 42);
    BOOST_TEST(first != second);
    const auto read = read_shown_try(second);
    BOOST_REQUIRE(read);
    BOOST_TEST(read->name == text(taken));
    BOOST_TEST(read->created == 42);
    BOOST_TEST(!read_shown_try(taken->text()));
    BOOST_TEST(!read_shown_try(second + ":1"));
    BOOST_TEST(!read_shown_try("no name"));
    BOOST_TEST(shown_try("no name", 42) == "no name");
    constexpr auto beyond = static_cast<std::int64_t>(core::lock_token::highest_ticket) + 1;
    BOOST_TEST(shown_try(taken->text(), beyond) == text(taken));
    BOOST_TEST(shown_try(taken->text(), -1) == text(taken));
    taken->give_back();
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::etcd
