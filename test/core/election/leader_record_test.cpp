#include "core/election/leader_knowledge.hpp"
#include "core/election/leader_record.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace redlock::core {
namespace {

BOOST_AUTO_TEST_SUITE(leader_record_suite)

const std::vector<std::uint64_t> numbers{
    1, 2, 9, 10, 11, 99, 100, 4096, 1'000'000'007, highest_version - 1, highest_version};

BOOST_AUTO_TEST_CASE(what_is_written_is_read) {
    for (const std::uint64_t term : numbers)
        for (const std::uint64_t version : numbers)
            for (const std::string& value :
                 {std::string(), std::string("\0:1:\xff\n", 6), std::string(4096, 'v')}) {
                const auto read = read_leader_record(leader_record({term, version}, value));
                BOOST_REQUIRE(read.has_value());
                BOOST_TEST((read->mark == leader_mark{term, version}));
                BOOST_TEST((read->value == value));
                BOOST_TEST(read->present);
                BOOST_TEST(term_of_record(leader_record({term, version}, value)) == term);
            }
}

BOOST_AUTO_TEST_CASE(the_order_of_bytes_is_that_of_marks) {
    for (const std::uint64_t term : numbers)
        for (const std::uint64_t version : numbers)
            for (const std::uint64_t other_term : numbers)
                for (const std::uint64_t other : numbers) {
                    const leader_mark a{term, version}, b{other_term, other};
                    if (a == b) continue;
                    BOOST_REQUIRE((leader_record(a, "\xff") < leader_record(b, "")) == is_behind(a, b));
                }
}

BOOST_AUTO_TEST_CASE(bounds_hold_the_records_of_a_term_and_no_others) {
    for (const std::uint64_t term : numbers)
        for (const std::uint64_t other : numbers)
            for (const std::uint64_t version : numbers) {
                const std::string record = leader_record({other, version}, "\xff");
                const bool is_between = record > before_records_of(term) && record < behind_records_of(term);
                BOOST_REQUIRE(is_between == (term == other));
            }
}

BOOST_AUTO_TEST_CASE(the_text_before_a_version_is_before_it_and_behind_those_before) {
    for (const std::uint64_t version : numbers)
        for (const std::uint64_t other : numbers) {
            const std::string before = before_version_of(leader_record({7, version}, "x"));
            BOOST_REQUIRE((leader_record({7, other}, "") > before) == (other >= version));
        }
}

BOOST_AUTO_TEST_CASE(anything_else_is_no_record) {
    const std::string good = leader_record({12, 3}, "value");
    BOOST_TEST(!read_leader_record(""));
    for (std::size_t i = 0; i < leader_record_head; ++i) {
        BOOST_TEST(!read_leader_record(good.substr(0, i)));
        for (const char c : {'x', '-', ' ', '\0', '\xff'}) {
            std::string wrong = good;
            wrong[i] = c;
            BOOST_TEST(!read_leader_record(wrong));
        }
    }
    for (const char* const wrong :
         {"0000000000000000000:0000000000000000001:x", "0000000000000000001:0000000000000000000:x",
          "9223372036854775808:0000000000000000001:x", "0000000000000000001:9223372036854775808:x", "1:1:x"})
        BOOST_TEST(!read_leader_record(wrong));
    BOOST_TEST(!read_leader_record(leader_record({1, 1}, std::string(max_leader_value_size + 1, 'v'))));
    BOOST_TEST(term_of_record("") == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::core
