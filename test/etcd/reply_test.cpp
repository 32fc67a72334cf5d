// Replies that are as they should be.

#include "wire_bytes.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <utility>

namespace redlock::etcd::messages {
namespace {

using namespace std::chrono_literals;

const key_value whole_pair{.key = "k", .created = 5, .modified = 6, .version = 1, .value = "me", .lease = 7};

/// What `for_each_reply` has of this kind.
template <class Content>
Content usual() {
    Content found;
    for_each_reply([&](auto kind, const std::string& bytes) {
        if constexpr (std::is_same_v<decltype(kind), Content>) found = understood<Content>(bytes).content;
    });
    return found;
}

// In its place: g++ 12 takes what is moved out of a variant for uninitialised.
template <class Result>
void add(transaction_result& to, Result one) {
    to.results.emplace_back().what.template emplace<Result>(std::move(one));
}

BOOST_AUTO_TEST_SUITE(etcd_replies)

BOOST_AUTO_TEST_CASE(every_reply_has_the_header) {
    const response_header expected{.cluster_id = 1, .member_id = 2, .revision = 300, .raft_term = 4};
    int kinds = 0;
    for_each_reply([&](auto kind, const std::string& bytes) {
        BOOST_TEST((understood<decltype(kind)>(bytes).header == expected));
        ++kinds;
    });
    BOOST_TEST(kinds == 12);
}

BOOST_AUTO_TEST_CASE(nothing_said_is_nothing_read) {
    for_each_reply([](auto kind, const std::string&) {
        const auto empty = understood<decltype(kind)>("");
        BOOST_TEST((empty.header == response_header{}));
        BOOST_TEST((empty.content == kind));
    });
}

BOOST_AUTO_TEST_CASE(keys_and_what_was_there_before) {
    BOOST_TEST((usual<range_result>() == range_result{.found = {whole_pair}, .more = true, .count = 2}));
    BOOST_TEST((usual<put_result>() == put_result{.previous = whole_pair}));
    BOOST_TEST((usual<delete_result>() == delete_result{.deleted = 1, .previous = {whole_pair}}));
}

BOOST_AUTO_TEST_CASE(the_results_of_a_transaction_are_in_the_order_of_its_operations) {
    transaction_result inner;
    add(inner, delete_result{.deleted = 9});
    transaction_result expected;
    expected.succeeded = true;
    add(expected, range_result{.found = {whole_pair}});
    add(expected, put_result{});
    add(expected, delete_result{.deleted = 3});
    add(expected, inner);
    BOOST_TEST((usual<transaction_result>() == expected));
}

BOOST_AUTO_TEST_CASE(the_header_of_a_transaction_is_the_outermost_alone) {
    const auto found = understood<transaction_result>(wire("1a 08 12 06 0a 04 18 05 20 09") + header);
    BOOST_TEST(found.header.revision == 300);
    BOOST_REQUIRE(found.content.results.size() == 1u);
    BOOST_TEST((found.content.results[0].what == operation_result{put_result{}}.what));
}

BOOST_AUTO_TEST_CASE(an_operation_of_another_kind_keeps_its_place) {
    const auto found = understood<transaction_result>(wire("1a 02 2a 00 1a 02 12 00"));
    BOOST_REQUIRE(found.content.results.size() == 2u);
    BOOST_TEST((found.content.results[0] == operation_result{}));
    BOOST_TEST((found.content.results[1] == operation_result{put_result{}}));
}

BOOST_AUTO_TEST_CASE(leases_and_how_long_they_live) {
    BOOST_TEST((usual<lease_grant_result>() == lease_grant_result{.id = 7, .life = 10s, .error = "no"}));
    BOOST_TEST((usual<lease_keep_alive_result>() == lease_keep_alive_result{.id = 7, .life = 10s}));
    const lease_time_to_live_result expected{.id = 7, .left = 9s, .granted = 10s, .keys = {"a", "b"}};
    BOOST_TEST((usual<lease_time_to_live_result>() == expected));
    const auto gone =
        understood<lease_time_to_live_result>(wire("10 07 18 ff ff ff ff ff ff ff ff ff 01")).content;
    BOOST_TEST((gone.left == -1s));
}

BOOST_AUTO_TEST_CASE(what_happened_to_a_key) {
    watch_result expected{
        .watch_id = 1, .created = true, .cancelled = true, .compacted = 5, .reason = "no", .fragment = true};
    expected.events.push_back(
        {.what = watch_event::kind::deletion,
         .now = {.key = "k", .modified = 8},
         .previous = key_value{.key = "k", .created = 5, .modified = 6, .version = 1, .value = "x"}});
    BOOST_TEST((usual<watch_result>() == expected));
}

BOOST_AUTO_TEST_CASE(what_is_said_of_the_cluster) {
    BOOST_TEST((usual<authenticate_result>() == authenticate_result{.token = "a.1"}));
    const status_result status{.version = "3.4.23",
                               .size = 128,
                               .size_in_use = 64,
                               .size_limit = 127,
                               .leader = 5,
                               .raft_index = 6,
                               .raft_applied = 6,
                               .raft_term = 4,
                               .is_learner = true,
                               .errors = {"e"}};
    BOOST_TEST((usual<status_result>() == status));
    const member one{.id = 2, .name = "n", .peers = {"p:1"}, .clients = {"c:1", "d"}, .is_learner = true};
    BOOST_TEST((usual<member_list_result>() == member_list_result{.members = {one}}));
}

BOOST_AUTO_TEST_CASE(fields_that_are_not_known_are_passed_over) {
    // A number, eight bytes, some bytes, four bytes; and a field that is known with a type that it does not
    // have.
    const std::string unknown = wire("f8 07 05 f9 07 '12345678' fa 07 02 'ab' fd 07 '1234' 0d '1234'");
    for_each_reply([&](auto kind, const std::string& bytes) {
        const auto expected = understood<decltype(kind)>(bytes);
        const auto found = understood<decltype(kind)>(unknown + bytes + unknown);
        BOOST_TEST((found.header == expected.header));
        BOOST_TEST((found.content == expected.content));
    });
}

BOOST_AUTO_TEST_CASE(what_a_server_says_is_made_printable_and_cut) {
    const auto found = understood<lease_grant_result>(wire("22 04 'a' 1b 0a 'b'")).content;
    BOOST_TEST(found.error == "a\\x1b\\x0ab");
    const auto lengthy = understood<lease_grant_result>(wire("22 ac 02") + std::string(300, 'x')).content;
    BOOST_TEST(lengthy.error == std::string(256, 'x') + "...");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::etcd::messages
