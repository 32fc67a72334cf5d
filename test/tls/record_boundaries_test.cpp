#include "network/tls/record_boundaries.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace redlock::test {
namespace {

std::string record(std::size_t size) {
    return std::string("\x17\x03\x03", 3) + static_cast<char>(size >> 8) + static_cast<char>(size & 255) +
           std::string(size, 'x');
}

BOOST_AUTO_TEST_SUITE(record_boundaries)

BOOST_AUTO_TEST_CASE(what_is_missing_of_a_record_is_known_at_each_byte) {
    network::record_boundaries seen;
    const std::string bytes = record(300);
    BOOST_TEST(seen.missing() == 0u);
    BOOST_TEST(!seen.begun());
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        seen.pass({&bytes[i], 1});
        BOOST_TEST(seen.begun());
        const std::size_t known = i + 1 < 5 ? 5 : bytes.size();
        BOOST_TEST(seen.missing() == known - (i + 1));
    }
}

BOOST_AUTO_TEST_CASE(records_follow_each_other_in_one_piece) {
    network::record_boundaries seen;
    const std::string bytes = record(10) + record(0) + record(20);
    seen.pass(bytes + record(100).substr(0, 50));
    BOOST_TEST(seen.missing() == 55u);
    seen.pass(record(100).substr(50) + bytes);
    BOOST_TEST(seen.missing() == 0u);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_tls_is_seen_at_its_first_bytes) {
    const auto is_foreign = [](std::string_view bytes) {
        network::record_boundaries seen;
        for (const char c : bytes)
            seen.pass({&c, 1});
        return seen.is_foreign();
    };
    BOOST_TEST(!is_foreign(""));
    BOOST_TEST(!is_foreign("\x16"));
    BOOST_TEST(!is_foreign("\x15\x03\x01"));
    BOOST_TEST(is_foreign("\x16\x02"));
    BOOST_TEST(is_foreign("-ERR"));
    BOOST_TEST(is_foreign("HTTP/1.1"));
    BOOST_TEST(is_foreign("\x18\x03"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
