// How long a lease of the server lives for sure where another member leads than when it was granted.

#include "server_lease_fixture.hpp"

namespace redlock::etcd {
namespace {

BOOST_FIXTURE_TEST_SUITE(server_lease_term_suite, lease_fixture)

BOOST_AUTO_TEST_CASE(a_keepalive_counts_once_the_term_of_the_grant_is_proven_behind_it) {
    const auto one = granted();
    one->sending(first_day + 3s, 7);
    BOOST_TEST(one->kept_alive(10s));
    BOOST_TEST(one->awaits_proof());
    BOOST_TEST((one->needs(first_day + 4s) == need::nothing));
    BOOST_TEST((one->lives_until() == first_day + 10s));
    one->unanswered(first_day + 4s, true);
    BOOST_TEST(!one->awaits_proof());
    // Nobody knows what it was worth: it is sent again, however long the server said that it is good for.
    BOOST_TEST((one->needs(first_day + 4s) == need::nothing));
    BOOST_TEST((one->needs(first_day + 5s) == need::keep_alive));
    keep_alive(*one, first_day + 5s);
    BOOST_TEST((one->lives_until() == first_day + 15s));
    BOOST_TEST((one->needs(first_day + 7999ms) == need::nothing));
    one->sending(first_day + 8s, 7);
    one->kept_alive(10s);
    one->hurry();
    one->unanswered(first_day + 9s, true);
    BOOST_TEST(!one->awaits_proof());
    BOOST_TEST((one->needs(first_day + 10s) == need::keep_alive));
}

// Whoever led in the term of the grant may believe to lead, and revoke it by what he knows.
BOOST_AUTO_TEST_CASE(behind_its_term_it_is_kept_for_who_is_there_but_nothing_makes_its_life_longer) {
    const auto one = granted();
    keep_alive(*one, first_day + 3s, 8);
    BOOST_TEST(one->is_outlived());
    BOOST_TEST((one->lives_until() == first_day + 10s));
    BOOST_TEST(one->is_alive(first_day + 9s));
    BOOST_TEST(one->is_retired());
    BOOST_TEST(leases.shared(10s) != one);
    // Those who wait have their places under it.
    BOOST_TEST((one->needs(first_day + 5999ms) == need::nothing));
    BOOST_TEST((one->needs(first_day + 6s) == need::keep_alive));
    keep_alive(*one, first_day + 6s, 7); // that of a lease that is outlived comes never back
    BOOST_TEST(one->is_outlived());
    BOOST_TEST((one->lives_until() == first_day + 10s));
    BOOST_TEST((one->needs(first_day + 9s) == need::keep_alive));
    somebody.move_out();
    BOOST_TEST((one->needs(first_day + 9s) == need::revoke));
}

BOOST_AUTO_TEST_CASE(the_term_is_that_before_the_grant_was_asked_for_where_it_is_known) {
    const auto late = leases.shared(10s);
    late->join(somebody);
    late->sending(first_day, 7);
    late->granted(10s, 8); // of which it may know nothing
    keep_alive(*late, first_day + 3s, 8);
    BOOST_TEST(late->is_outlived());

    const auto first = leases.shared(20s);
    first->join(somebody);
    first->sending(first_day, 0);
    first->granted(20s, 8);
    keep_alive(*first, first_day + 6s, 8);
    BOOST_TEST(!first->is_outlived());
    BOOST_TEST((first->lives_until() == first_day + 26s));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::etcd
