#include "node/output_buffer.hpp"

#include <boost/test/unit_test.hpp>

#include <random>

namespace redlock::test {
namespace {

using node::output_buffer;

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

BOOST_AUTO_TEST_CASE(gives_the_memory_of_a_burst_back) {
    output_buffer out;
    out.append(std::string(1'000'000, 'x'));
    out.sent(1'000'000);
    BOOST_TEST(out.tail().capacity() < 1000u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
