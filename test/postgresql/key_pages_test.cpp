// Which pages of keys are asked for, and what is made of the answers.

#include "engines/sql/key_pages.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <string>
#include <vector>

namespace redlock::sql {
namespace {

std::string hex(const std::string& key) {
    std::string digits;
    for (const char c : key)
        digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return digits;
}
answer page(const std::vector<std::string>& keys, const char* held = "1") {
    answer a;
    for (const std::string& key : keys)
        a.rows.push_back({hex(key), held});
    return a;
}
/// Keys "k0000000" and so on.
std::vector<std::string> numbered(std::size_t from, std::size_t count) {
    std::vector<std::string> keys;
    for (std::size_t i = from; i < from + count; ++i)
        keys.push_back(fmt::format("k{:07}", i));
    return keys;
}

BOOST_AUTO_TEST_SUITE(pages_of_keys)

BOOST_AUTO_TEST_CASE(a_page_reaches_from_the_beginning_to_what_is_behind_all_like_it) {
    BOOST_TEST(key_pages("ab", 10).from() == "ab");
    BOOST_TEST(key_pages("ab", 10).end() == "ac");
    BOOST_TEST(key_pages("a\xff\xff", 10).end() == "b");
    for (const std::string all : {"", "\xff\xff"}) {
        const key_pages pages(all, 10);
        BOOST_TEST(pages.from() > "");
        BOOST_TEST(pages.from() <= (all.empty() ? std::string("\0", 1) : all));
        BOOST_TEST(pages.end() > std::string(key_pages::longest_key, '\xff'));
    }
}

BOOST_AUTO_TEST_CASE(a_full_page_is_followed_by_another_and_a_short_one_is_the_last) {
    key_pages pages("k", 2000);
    BOOST_TEST((pages.take(page(numbered(0, key_pages::page_size))) == errc{}));
    BOOST_TEST(!pages.is_over());
    BOOST_TEST(pages.from() == std::string("k0000999\0", 9));
    BOOST_TEST((pages.take(page({"k0000999a", "k1"})) == errc{}));
    BOOST_TEST(pages.is_over());
    const key_list found = std::move(pages).result();
    BOOST_TEST(found.keys.size() == 1002u);
    BOOST_TEST(found.keys.back() == "k1");
    BOOST_TEST(!found.more);
}

BOOST_AUTO_TEST_CASE(just_as_many_as_are_wanted_are_all_and_one_more_is_said) {
    key_pages all("k", key_pages::page_size);
    BOOST_TEST((all.take(page(numbered(0, key_pages::page_size))) == errc{}));
    BOOST_TEST(!all.is_over());
    BOOST_TEST((all.take(page({})) == errc{}));
    BOOST_TEST(all.is_over());
    BOOST_TEST(!std::move(all).result().more);

    key_pages some("k", 3);
    BOOST_TEST((some.take(page(numbered(0, 4))) == errc{}));
    BOOST_TEST(some.is_over());
    const key_list found = std::move(some).result();
    BOOST_TEST(found.keys == numbered(0, 3), boost::test_tools::per_element());
    BOOST_TEST(found.more);
}

BOOST_AUTO_TEST_CASE(rows_that_nobody_holds_are_passed_over_and_not_for_ever) {
    key_pages pages("k", 10);
    for (unsigned i = 0; i + 1 < key_pages::most_pages; ++i)
        BOOST_REQUIRE(
            (pages.take(page(numbered(i * key_pages::page_size, key_pages::page_size), "0")) == errc{}));
    BOOST_TEST(!pages.is_over());
    const std::size_t next = (key_pages::most_pages - 1) * key_pages::page_size;
    BOOST_TEST((pages.take(page(numbered(next, key_pages::page_size), "1")) == errc{}));
    BOOST_TEST(pages.is_over());
    const key_list found = std::move(pages).result();
    BOOST_TEST(found.keys.front() == numbered(next, 1).front());
    BOOST_TEST(found.more);
}

BOOST_AUTO_TEST_CASE(whatever_bytes_a_key_has_come_back) {
    const std::string odd("k\0\n\xff\x80", 5);
    key_pages pages("", 10);
    BOOST_TEST((pages.take(page({odd})) == errc{}));
    BOOST_TEST(std::move(pages).result().keys.at(0) == odd);
}

BOOST_AUTO_TEST_CASE(what_is_no_such_page_is_an_error_of_the_server) {
    const std::string too_long(key_pages::longest_key + 1, 'k');
    std::vector<answer> odd{page({"j"}),        page({"l"}),      page({"k2", "k1"}),
                            page({"k1", "k1"}), page({too_long}), page(numbered(0, 1001)),
                            page({"k"}, "t"),   {.rows = {{}}},   {.rows = {{"6b"}}}};
    for (const char* digits : {"6b0", "6g", "\\x6b", "6b -1", ""})
        odd.push_back({.rows = {{digits, "1"}}});
    for (const answer& each : odd) {
        key_pages pages("k", 2000);
        BOOST_TEST((pages.take(each) == errc::protocol_error));
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::sql
