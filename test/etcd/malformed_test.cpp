// Replies that are not as they should be: each is understood or refused, and nothing else happens.

#include "wire_bytes.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <random>

namespace redlock::etcd::messages {
namespace {

template <class Content>
fault fault_of(const std::string& bytes) {
    reply<Content> into;
    into.header.revision = 77;
    const fault found = read(bytes, into);
    // What was refused leaves nothing of it behind.
    if (found != fault::none) BOOST_TEST(into.header.revision == 77);
    return found;
}

/// The length of a message in front of it.
std::string field(const std::string& tag, const std::string& content) {
    std::string bytes = tag;
    std::size_t left = content.size();
    for (; left > 127; left >>= 7)
        bytes += static_cast<char>(0x80 | (left & 0x7f));
    return bytes + static_cast<char>(left) + content;
}

std::string many(std::size_t count, const std::string& what) {
    std::string bytes;
    for (std::size_t i = 0; i < count; ++i)
        bytes += what;
    return bytes;
}

BOOST_AUTO_TEST_SUITE(etcd_malformed_replies)

BOOST_AUTO_TEST_CASE(what_ends_within_a_field_is_malformed) {
    for_each_reply([](auto kind, const std::string& bytes) {
        for (std::size_t size = 1; size < header.size(); ++size)
            BOOST_TEST((fault_of<decltype(kind)>(bytes.substr(0, size)) == fault::malformed));
        for (std::size_t size = header.size(); size <= bytes.size(); ++size) {
            const fault found = fault_of<decltype(kind)>(bytes.substr(0, size));
            BOOST_TEST((found == fault::none || found == fault::malformed));
        }
    });
    BOOST_TEST((fault_of<range_result>(wire("12 05 0a 01 'k'")) == fault::malformed));
    BOOST_TEST((fault_of<range_result>(wire("12 03 0a 05 'k'")) == fault::malformed));
}

BOOST_AUTO_TEST_CASE(numbers_and_tags_that_cannot_be) {
    BOOST_TEST((fault_of<range_result>(wire("20 ff ff ff ff ff ff ff ff ff ff 01")) == fault::malformed));
    BOOST_TEST((fault_of<range_result>(wire("00 00")) == fault::malformed));
    BOOST_TEST((fault_of<range_result>(wire("f3 07")) == fault::malformed)); // a group of version 2
    const std::string minus_one = wire("ff ff ff ff ff ff ff ff ff 01");
    const std::string minus_two = wire("fe ff ff ff ff ff ff ff ff 01");
    BOOST_TEST((fault_of<range_result>(wire("20") + minus_one) == fault::number_out_of_range));
    BOOST_TEST(
        (fault_of<range_result>(field(wire("0a"), wire("18") + minus_one)) == fault::number_out_of_range));
    BOOST_TEST(
        (fault_of<range_result>(field(wire("12"), wire("10") + minus_one)) == fault::number_out_of_range));
    BOOST_TEST((fault_of<lease_grant_result>(wire("18") + minus_one) == fault::number_out_of_range));
    BOOST_TEST((fault_of<lease_keep_alive_result>(wire("18") + minus_one) == fault::number_out_of_range));
    BOOST_TEST((fault_of<lease_keep_alive_result>(wire("18 81 b4 c4 c3 21")) == fault::number_out_of_range));
    BOOST_TEST((fault_of<lease_keep_alive_result>(wire("18 80 b4 c4 c3 21")) == fault::none));
    BOOST_TEST((fault_of<lease_time_to_live_result>(wire("18") + minus_two) == fault::number_out_of_range));
    BOOST_TEST((fault_of<watch_result>(wire("5a 02 08 02")) == fault::number_out_of_range));
}

BOOST_AUTO_TEST_CASE(what_is_too_long) {
    const auto pair_with = [](const std::string& tag, std::size_t size) {
        return field(wire("12"), field(wire(tag), std::string(size, 'x')));
    };
    BOOST_TEST((fault_of<range_result>(pair_with("0a", longest_key)) == fault::none));
    BOOST_TEST((fault_of<range_result>(pair_with("0a", longest_key + 1)) == fault::key_too_long));
    BOOST_TEST((fault_of<range_result>(pair_with("2a", longest_value)) == fault::none));
    BOOST_TEST((fault_of<range_result>(pair_with("2a", longest_value + 1)) == fault::value_too_long));
    const auto token_of = [](const std::string& token) { return field(wire("12"), token); };
    BOOST_TEST((fault_of<authenticate_result>(token_of(std::string(longest_token, 'x'))) == fault::none));
    BOOST_TEST((fault_of<authenticate_result>(token_of(std::string(longest_token + 1, 'x'))) ==
                fault::token_too_long));
    for (const char* wrong : {"a b", "a\n", "\x7f", "\xc3\xa4"})
        BOOST_TEST((fault_of<authenticate_result>(token_of(wrong)) == fault::unprintable_token));
    const std::string filler = field(wire("fa 07"), std::string(longest_message - 6, 'x'));
    BOOST_TEST(filler.size() == longest_message);
    BOOST_TEST((fault_of<put_result>(filler) == fault::none));
    BOOST_TEST((fault_of<put_result>(filler + wire("08 00")) == fault::message_too_long));
}

BOOST_AUTO_TEST_CASE(what_is_too_much) {
    BOOST_TEST((fault_of<range_result>(many(most_elements, wire("12 00"))) == fault::none));
    BOOST_TEST((fault_of<range_result>(many(most_elements + 1, wire("12 00"))) == fault::too_many_elements));
    BOOST_TEST((fault_of<delete_result>(many(most_elements + 1, wire("1a 00"))) == fault::too_many_elements));
    // An event and what it is about, each counts.
    BOOST_TEST((fault_of<watch_result>(many(most_elements / 2, wire("5a 02 12 00"))) == fault::none));
    BOOST_TEST((fault_of<watch_result>(many(most_elements / 2 + 1, wire("5a 02 12 00"))) ==
                fault::too_many_elements));
    BOOST_TEST(
        (fault_of<transaction_result>(many(most_elements + 1, wire("1a 00"))) == fault::too_many_elements));
    BOOST_TEST((fault_of<lease_time_to_live_result>(many(most_elements + 1, wire("2a 00"))) ==
                fault::too_many_elements));
    BOOST_TEST((fault_of<member_list_result>(many(most_members, wire("12 00"))) == fault::none));
    BOOST_TEST(
        (fault_of<member_list_result>(many(most_members + 1, wire("12 00"))) == fault::too_many_elements));
    const std::string urls = field(wire("12"), many(most_urls + 1, wire("22 00")));
    BOOST_TEST((fault_of<member_list_result>(urls) == fault::too_many_elements));
    BOOST_TEST((fault_of<status_result>(many(most_members + 1, wire("42 00"))) == fault::too_many_elements));
}

BOOST_AUTO_TEST_CASE(what_is_too_deep) {
    std::string bytes;
    for (std::size_t depth = 1; depth < deepest_transaction; ++depth)
        bytes = field(wire("1a"), field(wire("22"), bytes));
    BOOST_TEST((fault_of<transaction_result>(bytes) == fault::none));
    BOOST_TEST(
        (fault_of<transaction_result>(field(wire("1a"), field(wire("22"), bytes))) == fault::too_deep));
    for (int i = 0; i < 2000; ++i)
        bytes = field(wire("1a"), field(wire("22"), bytes));
    BOOST_TEST((fault_of<transaction_result>(bytes) == fault::too_deep));
}

BOOST_AUTO_TEST_CASE(any_change_of_a_reply_is_understood_or_refused) {
    std::mt19937 dice(20'240'611); // NOLINT: the same ones each time
    const auto up_to = [&](std::size_t most) {
        return std::uniform_int_distribution<std::size_t>(0, most)(dice);
    };
    for_each_reply([&](auto kind, const std::string& whole) {
        for (int i = 0; i < 20'000; ++i) {
            std::string bytes = whole;
            for (std::size_t changes = 1 + up_to(3); changes > 0; --changes) {
                const std::size_t place = up_to(bytes.size());
                const auto byte = static_cast<char>(up_to(255));
                if (place == bytes.size() || up_to(2) == 0)
                    bytes.insert(place, 1, byte);
                else if (up_to(1) == 0)
                    bytes.erase(place, 1 + up_to(2));
                else
                    bytes[place] = byte;
            }
            reply<decltype(kind)> into;
            const fault found = read(bytes, into);
            BOOST_REQUIRE(describe(found).empty() == (found == fault::none));
        }
    });
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::etcd::messages
