#include <redlock/detail/key_text.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

namespace redlock::test {
namespace {

using detail::key_text;

std::string of_size(std::size_t n) {
    std::string text;
    while (text.size() < n)
        text += static_cast<char>('a' + text.size() % 26);
    return text;
}

BOOST_AUTO_TEST_SUITE(key_text_suite)

BOOST_AUTO_TEST_CASE(keeps_texts_of_any_size) {
    for (const std::size_t n : {0U, 1U, 39U, 40U, 41U, 1000U, 1000000U})
        BOOST_TEST(key_text(of_size(n)).view() == of_size(n));
    using namespace std::string_view_literals;
    BOOST_TEST(key_text("a\0b"sv).view() == "a\0b"sv);
    BOOST_TEST(key_text().view().empty());
}

BOOST_AUTO_TEST_CASE(puts_a_prefix_in_front) {
    for (const std::size_t n : {0U, 1U, 20U, 39U, 40U, 41U, 500U})
        for (const std::size_t m : {0U, 1U, 20U, 40U, 500U})
            BOOST_TEST(key_text(of_size(n), of_size(m)).view() == of_size(n) + of_size(m));
}

BOOST_AUTO_TEST_CASE(is_copied_moved_and_assigned) {
    for (const std::size_t n : {5U, 40U, 41U, 300U}) {
        key_text first(of_size(n));
        const key_text copy(first);
        BOOST_TEST(copy.view() == first.view());
        key_text moved(std::move(first));
        BOOST_TEST(moved.view() == of_size(n));
        for (const std::size_t m : {3U, 200U}) {
            key_text other(of_size(m));
            other = moved;
            BOOST_TEST(other.view() == of_size(n));
            other = key_text(of_size(m));
            BOOST_TEST(other.view() == of_size(m));
        }
        BOOST_TEST(moved.view() == of_size(n));
    }
    std::vector<key_text> many;
    for (std::size_t n = 0; n < 100; ++n)
        many.emplace_back(of_size(n));
    for (std::size_t n = 0; n < 100; ++n)
        BOOST_TEST(many[n].view() == of_size(n));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
