#include "engines/redis/resp/receive_buffer.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>

namespace redlock::test {
namespace {

constexpr std::size_t usual = std::size_t{16} * 1024;
constexpr std::size_t mebibyte = std::size_t{1024} * 1024;

/// Commits `n` bytes in pieces of `piece`, counting up so that a byte in the wrong place shows.
void receive(resp::receive_buffer& buffer, std::size_t n, std::size_t piece, unsigned char& next) {
    while (n > 0) {
        const auto space = buffer.prepare();
        const auto some = std::min({n, piece, space.size()});
        for (auto& byte : space.first(some))
            byte = static_cast<char>(next++);
        buffer.commit(some);
        n -= some;
    }
}

bool counts_up(std::string_view bytes) {
    const auto broken = [](char a, char b) {
        return static_cast<unsigned char>(a + 1) != static_cast<unsigned char>(b);
    };
    return std::adjacent_find(bytes.begin(), bytes.end(), broken) == bytes.end();
}

BOOST_AUTO_TEST_SUITE(receive_buffer_suite)

BOOST_AUTO_TEST_CASE(keeps_the_order_through_growth_and_compaction) {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{1000}, mebibyte}) {
        resp::receive_buffer buffer(mebibyte);
        unsigned char next = 0;
        for (const std::size_t n : {10U, 20'000U, 5U, 300'000U, 100U, 70'000U}) {
            receive(buffer, n, piece, next);
            BOOST_TEST(counts_up(buffer.unread()));
            buffer.consume(buffer.unread().size() / 2);
        }
    }
}

BOOST_AUTO_TEST_CASE(always_has_room_for_the_longest_message_and_never_for_much_more) {
    resp::receive_buffer buffer(mebibyte);
    unsigned char next = 0;
    while (buffer.unread().size() < mebibyte) {
        BOOST_TEST_REQUIRE(buffer.prepare().size() >= 4096U);
        BOOST_TEST_REQUIRE(buffer.unread().size() + buffer.prepare().size() <= mebibyte + 4096);
        receive(buffer, 1000, 1000, next);
    }
    receive(buffer, buffer.prepare().size(), usual, next);
    BOOST_TEST(buffer.prepare().empty());
    BOOST_TEST(buffer.unread().size() == mebibyte + 4096);
    BOOST_TEST(counts_up(buffer.unread()));
}

BOOST_AUTO_TEST_CASE(shrinks_after_a_large_message) {
    resp::receive_buffer buffer(mebibyte);
    unsigned char next = 0;
    BOOST_TEST(buffer.prepare().size() == usual);
    receive(buffer, 200'000, usual, next);
    buffer.consume(199'000);
    BOOST_TEST(buffer.prepare().size() == usual - 1000);
    BOOST_TEST(buffer.unread().size() == 1000U);
    BOOST_TEST(counts_up(buffer.unread()));
    buffer.consume(1000);
    BOOST_TEST(buffer.prepare().size() == usual);
}

BOOST_AUTO_TEST_CASE(takes_any_limit) {
    resp::receive_buffer none(0), endless(static_cast<std::size_t>(-1));
    BOOST_TEST(none.prepare().size() == usual);
    BOOST_TEST(endless.prepare().size() == usual);
    unsigned char next = 0;
    receive(endless, 2 * mebibyte, usual, next);
    BOOST_TEST(counts_up(endless.unread()));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
