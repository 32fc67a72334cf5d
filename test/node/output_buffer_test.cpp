#include "engines/redis/node/queue/output_buffer.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <random>

namespace redlock::test {
namespace {

using node::output_buffer;

constexpr auto no_limit = std::numeric_limits<std::size_t>::max();

BOOST_AUTO_TEST_SUITE(output_buffer_suite)

BOOST_AUTO_TEST_CASE(keeps_what_was_not_sent) {
    output_buffer out;
    BOOST_TEST(out.empty());
    out.append("abc");
    out.tail() += "def";
    BOOST_TEST(out.unsent() == "abcdef");
    out.sent(4);
    BOOST_TEST(out.unsent() == "ef");
    BOOST_TEST(out.size() == 2u);
    out.append("g");
    BOOST_TEST(out.unsent() == "efg");
    out.sent(0);
    out.sent(3);
    BOOST_TEST(out.empty());
    out.append("h");
    BOOST_TEST(out.unsent() == "h");
}

BOOST_AUTO_TEST_CASE(gives_out_every_byte_once_and_in_order) {
    std::mt19937 random(7);
    output_buffer out;
    std::string all;
    std::string got;
    while (all.size() < 2'000'000) {
        const std::string piece(random() % 5000, static_cast<char>('a' + random() % 26));
        out.append(piece);
        all += piece;
        const auto taken = random() % 3 == 0 ? out.size() : random() % (out.size() + 1);
        got += out.unsent().substr(0, taken);
        out.sent(taken);
    }
    got += out.unsent();
    BOOST_TEST((got == all));
}

BOOST_AUTO_TEST_CASE(refers_to_bytes_that_stay) {
    const std::string stays = "abcdefgh";
    const std::string_view bytes = stays;
    output_buffer out;
    BOOST_TEST(out.extend(bytes.substr(0, 3), no_limit));
    BOOST_TEST(out.extend(bytes.substr(3, 3), no_limit));
    BOOST_TEST((out.unsent().data() == stays.data()));
    BOOST_TEST(out.unsent() == "abcdef");
    BOOST_TEST(out.size() == 6u);
    BOOST_TEST(!out.extend(bytes.substr(7, 1), no_limit)); // there is a gap
    out.sent(2);
    BOOST_TEST(out.unsent() == "cdef");
    BOOST_TEST(out.extend(bytes.substr(6, 1), no_limit));
    out.sent(5);
    BOOST_TEST(out.empty());
    BOOST_TEST(out.extend(bytes.substr(1, 1), no_limit));
    BOOST_TEST(out.unsent() == "b");
}

BOOST_AUTO_TEST_CASE(refers_to_no_more_than_the_limit) {
    const std::string stays = "abcdef";
    const std::string_view bytes = stays;
    output_buffer out;
    BOOST_TEST(!out.extend(bytes, 5));
    BOOST_TEST(out.empty());
    BOOST_TEST(out.extend(bytes.substr(0, 3), 5));
    BOOST_TEST(!out.extend(bytes.substr(3, 3), 5));
    BOOST_TEST(out.extend(bytes.substr(3, 2), 5));
    BOOST_TEST(out.unsent() == "abcde");
}

BOOST_AUTO_TEST_CASE(copies_what_it_refers_to_before_that_goes) {
    std::string stays = "abcdef";
    output_buffer out;
    BOOST_TEST(out.extend(stays, no_limit));
    out.sent(1);
    out.keep();
    stays = "######";
    BOOST_TEST(out.unsent() == "bcdef");
    BOOST_TEST(!out.extend(stays, no_limit));
    out.append("g");
    out.keep();
    BOOST_TEST(out.unsent() == "bcdefg");
    out.sent(6);
    BOOST_TEST(out.extend(stays, no_limit));
    out.append("h"); // copies, too
    stays = "!!!!!!";
    BOOST_TEST(out.unsent() == "######h");
}

BOOST_AUTO_TEST_CASE(gives_the_memory_of_a_burst_back) {
    output_buffer out;
    out.append(std::string(1'000'000, 'x'));
    out.sent(1'000'000);
    BOOST_TEST(out.tail().capacity() < 1000u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
