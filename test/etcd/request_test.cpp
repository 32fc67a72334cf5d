// Requests, byte for byte as the definitions of etcd and of protocol buffers have them.

#include "wire_bytes.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

namespace redlock::etcd::messages {
namespace {

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(etcd_requests)

BOOST_AUTO_TEST_CASE(the_end_of_a_prefix_is_the_next_key_that_does_not_begin_with_it) {
    BOOST_TEST(end_of("a/") == "a0");
    BOOST_TEST(end_of("a\xff\xff") == "b");
    BOOST_TEST(end_of("\x7f") == "\x80");
    BOOST_TEST(end_of("\xff") == std::string(1, '\0'));
    BOOST_TEST(end_of("") == std::string(1, '\0'));
}

BOOST_AUTO_TEST_CASE(ranges) {
    BOOST_TEST(encoded(range_request{.key = "k"}) == wire("0a 01 'k'"));
    const range_request all{.key = "k",
                            .range_end = "l",
                            .limit = 1,
                            .at = 300,
                            .sorted = range_request::order::descending,
                            .by = range_request::target::created,
                            .serializable = true,
                            .keys_only = true,
                            .count_only = true,
                            .most_created = 9};
    BOOST_TEST(encoded(all) ==
               wire("0a 01 'k' 12 01 'l' 18 01 20 ac 02 28 02 30 02 38 01 40 01 48 01 68 09"));
}

BOOST_AUTO_TEST_CASE(puts_and_deletions) {
    const put_request put{.key = "k", .value = "v", .lease = -1, .tell_previous = true};
    BOOST_TEST(encoded(put) == wire("0a 01 'k' 12 01 'v' 18 ff ff ff ff ff ff ff ff ff 01 20 01"));
    const put_request kept{.key = "k", .keep_value = true, .keep_lease = true};
    BOOST_TEST(encoded(kept) == wire("0a 01 'k' 28 01 30 01"));
    const delete_request several{.key = "k", .range_end = "l", .tell_previous = true};
    BOOST_TEST(encoded(several) == wire("0a 01 'k' 12 01 'l' 18 01"));
}

BOOST_AUTO_TEST_CASE(what_a_comparison_compares_with_is_there_even_if_it_is_nothing) {
    using target = comparison::target;
    const auto compared = [](comparison c) {
        c.key = "k";
        transaction_request m;
        m.when.push_back(std::move(c));
        return encoded(m);
    };
    BOOST_TEST(compared({.what = target::version}) == wire("0a 05 1a 01 'k' 20 00"));
    BOOST_TEST(compared({.what = target::created}) == wire("0a 07 10 01 1a 01 'k' 28 00"));
    BOOST_TEST(compared({.what = target::modified, .how = comparison::relation::less, .number = 5}) ==
               wire("0a 09 08 02 10 02 1a 01 'k' 30 05"));
    BOOST_TEST(compared({.what = target::value, .how = comparison::relation::not_equal}) ==
               wire("0a 09 08 03 10 03 1a 01 'k' 3a 00"));
    BOOST_TEST(compared({.what = target::value, .value = "v"}) == wire("0a 08 10 03 1a 01 'k' 3a 01 'v'"));
    BOOST_TEST(
        compared(
            {.what = target::lease, .how = comparison::relation::greater, .number = 1, .range_end = "l"}) ==
        wire("0a 0d 08 01 10 04 1a 01 'k' 40 01 82 04 01 'l'"));
}

BOOST_AUTO_TEST_CASE(transactions_have_operations_and_transactions_in_them) {
    transaction_request inner;
    inner.then.push_back({put_request{.key = "p"}});
    transaction_request m;
    m.when.push_back({.key = "k", .what = comparison::target::created});
    m.then.push_back({range_request{.key = "r"}});
    m.then.push_back({delete_request{.key = "d"}});
    m.otherwise.push_back({inner});
    BOOST_TEST(encoded(m) == wire("0a 07 10 01 1a 01 'k' 28 00 12 05 0a 03 0a 01 'r' 12 05 1a 03 0a 01 'd' "
                                  "1a 09 22 07 12 05 12 03 0a 01 'p'"));
    BOOST_TEST(encoded(transaction_request{}).empty());
}

BOOST_AUTO_TEST_CASE(leases) {
    BOOST_TEST(encoded(lease_grant_request{.life = 10s}) == wire("08 0a"));
    BOOST_TEST(encoded(lease_grant_request{.life = 300s, .id = 7}) == wire("08 ac 02 10 07"));
    BOOST_TEST(encoded(lease_revoke_request{.id = 7}) == wire("08 07"));
    BOOST_TEST(encoded(lease_keep_alive_request{.id = 300}) == wire("08 ac 02"));
    BOOST_TEST(encoded(lease_time_to_live_request{.id = 7}) == wire("08 07"));
    BOOST_TEST(encoded(lease_time_to_live_request{.id = 7, .with_keys = true}) == wire("08 07 10 01"));
}

BOOST_AUTO_TEST_CASE(watches) {
    BOOST_TEST(encoded(watch_create_request{.key = "k"}) == wire("0a 03 0a 01 'k'"));
    const watch_create_request all{.key = "k",
                                   .range_end = "l",
                                   .start = 300,
                                   .progress = true,
                                   .without_puts = true,
                                   .without_deletions = true,
                                   .tell_previous = true,
                                   .watch_id = 2,
                                   .fragments = true};
    BOOST_TEST(encoded(all) ==
               wire("0a 15 0a 01 'k' 12 01 'l' 18 ac 02 20 01 2a 02 00 01 30 01 38 02 40 01"));
    const watch_create_request deletions{.key = "k", .without_puts = true};
    BOOST_TEST(encoded(deletions) == wire("0a 06 0a 01 'k' 2a 01 00"));
    BOOST_TEST(encoded(watch_cancel_request{.watch_id = 2}) == wire("12 02 08 02"));
    BOOST_TEST(encoded(watch_cancel_request{}) == wire("12 02 08 00"));
    BOOST_TEST(encoded(watch_progress_request{}) == wire("1a 00"));
}

BOOST_AUTO_TEST_CASE(what_is_asked_of_the_cluster) {
    BOOST_TEST(encoded(authenticate_request{.user = "u", .password = "p"}) == wire("0a 01 'u' 12 01 'p'"));
    BOOST_TEST(encoded(status_request{}).empty());
    BOOST_TEST(encoded(member_list_request{}) == wire("08 01"));
    BOOST_TEST(encoded(member_list_request{.linearizable = false}).empty());
}

BOOST_AUTO_TEST_CASE(a_message_is_added_to_what_is_there) {
    std::string bytes = "x";
    append(bytes, lease_revoke_request{.id = 7});
    append(bytes, range_request{.key = "k"});
    BOOST_TEST(bytes == wire("'x' 08 07 0a 01 'k'"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::etcd::messages
