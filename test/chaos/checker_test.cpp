#include "chaos/checker.hpp"
#include "chaos/history.hpp"
#include "support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

// The checker finds what it is there for.

namespace redlock::chaos {
namespace {

grant of_key(std::uint32_t key, std::int64_t granted, std::int64_t last_valid, std::uint64_t token) {
    return {
        .client = 0, .key = key, .asked = 0, .granted = granted, .last_valid = last_valid, .token = token};
}

BOOST_AUTO_TEST_SUITE(checker)

BOOST_AUTO_TEST_CASE(leases_in_a_row_are_as_they_should_be) {
    BOOST_TEST(violations_in({of_key(0, 10, 20, 1), of_key(1, 15, 30, 1), of_key(0, 21, 25, 2)}).empty());
}

BOOST_AUTO_TEST_CASE(two_leases_of_a_key_at_one_time_are_found) {
    BOOST_TEST(violations_in({of_key(0, 10, 20, 1), of_key(0, 19, 25, 2)}).size() == 1u);
    // Also when another one lies between.
    BOOST_TEST(violations_in({of_key(0, 10, 90, 1), of_key(0, 20, 30, 2), of_key(0, 40, 50, 3)}).size() ==
               2u);
}

BOOST_AUTO_TEST_CASE(tokens_out_of_order_are_found) {
    BOOST_TEST(violations_in({of_key(0, 10, 20, 7), of_key(0, 30, 40, 7)}).size() == 1u);
    BOOST_TEST(violations_in({of_key(0, 10, 20, 7), of_key(0, 30, 40, 6)}).size() == 1u);
}

BOOST_AUTO_TEST_CASE(those_who_read_may_overlap_each_other_and_nobody_else) {
    const auto reads = [](grant g) {
        g.reads = true;
        return g;
    };
    BOOST_TEST(violations_in({reads(of_key(0, 10, 20, 2)), reads(of_key(0, 15, 30, 1)), of_key(0, 31, 40, 3)})
                   .empty());
    BOOST_TEST(violations_in({reads(of_key(0, 10, 20, 1)), of_key(0, 15, 30, 2)}).size() == 1u);
    BOOST_TEST(violations_in({of_key(0, 10, 20, 1), reads(of_key(0, 15, 30, 2))}).size() == 1u);
    BOOST_TEST(violations_in({reads(of_key(0, 10, 12, 5)), of_key(0, 15, 30, 4)}).size() == 1u);
    BOOST_TEST(violations_in({of_key(0, 10, 12, 5), reads(of_key(0, 15, 30, 4))}).size() == 1u);
    BOOST_TEST(violations_in({reads(of_key(0, 10, 12, 5)), reads(of_key(0, 11, 30, 5))}).size() == 1u);
    grant later = reads(of_key(0, 30, 40, 4));
    later.asked = 25;
    BOOST_TEST(violations_in({reads(of_key(0, 10, 12, 5)), later}).size() == 1u);
}

BOOST_AUTO_TEST_CASE(who_was_made_a_reader_keeps_out_readers_until_then_and_writers_until_the_end) {
    grant downgraded = of_key(0, 10, 40, 5);
    downgraded.downgraded = 20;
    const auto beside = [&](grant another, bool reads) {
        another.reads = reads;
        another.asked = 5;
        return another.granted < downgraded.granted ? violations_in({another, downgraded}).size()
                                                    : violations_in({downgraded, another}).size();
    };
    BOOST_TEST(beside(of_key(0, 21, 50, 6), true) == 0u);
    BOOST_TEST(beside(of_key(0, 19, 50, 6), true) == 1u);
    BOOST_TEST(beside(of_key(0, 41, 50, 6), false) == 0u);
    BOOST_TEST(beside(of_key(0, 39, 50, 6), false) == 1u);
    BOOST_TEST(beside(of_key(0, 19, 50, 6), false) == 2u);
    BOOST_TEST(beside(of_key(0, 8, 11, 4), true) == 1u);
    BOOST_TEST(beside(of_key(0, 8, 11, 4), false) == 1u);
    BOOST_TEST(beside(of_key(0, 21, 50, 5), true) == 1u);
    BOOST_TEST(beside(of_key(0, 41, 50, 5), false) == 1u);
    // Also behind another one that reads.
    grant reader = of_key(0, 30, 60, 6);
    reader.reads = true;
    BOOST_TEST(violations_in({downgraded, reader, of_key(0, 50, 70, 7)}).size() == 1u);
    BOOST_TEST(violations_in({downgraded, reader, of_key(0, 35, 70, 7)}).size() == 2u);
}

BOOST_AUTO_TEST_CASE(what_clients_never_did_is_found) {
    test::temporary_folder folder;
    const history log(folder.path() / "history", 2, 1);
    for (std::size_t i = 0; i < deed_count; ++i)
        for (const std::size_t client : {0u, 0u, 1u})
            log.page_of(client).count(static_cast<deed>(i));
    BOOST_TEST(shortcomings(log, {}, 3).empty());
    BOOST_TEST(shortcomings(log, {}, 4).size() == deed_count);
    --log.page_of(1).done[static_cast<std::size_t>(deed::downgrade)];
    --log.page_of(1).done[static_cast<std::size_t>(deed::lead)];
    BOOST_TEST(shortcomings(log, {}, 3).size() == 2u);
    BOOST_TEST(shortcomings(log, {.leads = false}, 3).size() == 1u);
    BOOST_TEST(shortcomings(log, {.reads = false, .leads = false}, 3).empty());
    BOOST_TEST(shortcomings(log, {}, 2).empty());
}

BOOST_AUTO_TEST_CASE(a_pause_counts_only_while_there_could_have_been_grants) {
    const std::vector<grant> grants{of_key(0, 10, 11, 1), of_key(0, 40, 41, 2), of_key(0, 50, 51, 3)};
    BOOST_TEST(longest_pause(grants, {{0, 20}, {35, 60}}) == 10);
    BOOST_TEST(longest_pause(grants, {{0, 60}}) == 30);
    BOOST_TEST(longest_pause(grants, {{60, 65}}) == 5);
}

BOOST_AUTO_TEST_CASE(what_a_client_wrote_is_read) {
    test::temporary_folder folder;
    const std::string file = folder.path() / "history";
    history written(file, 2, 1);
    hold* const first = written.begin_hold(1);
    BOOST_REQUIRE(first != nullptr);
    first->granted = 5;
    first->token = 9;
    const history read(file, 2, 1);
    BOOST_TEST(grants_in(read).empty());
    first->last_valid = 6;
    BOOST_REQUIRE(grants_in(read).size() == 1u);
    BOOST_TEST(grants_in(read)[0].token == 9u);
    BOOST_TEST(written.begin_hold(1) == nullptr);
}

BOOST_AUTO_TEST_CASE(a_resource_takes_no_write_that_is_too_old) {
    resource r{};
    BOOST_TEST(r.write(5));
    BOOST_TEST(r.write(5));
    BOOST_TEST(r.write(8));
    BOOST_TEST(!r.write(7));
    BOOST_TEST(r.accepted == 3u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::chaos
