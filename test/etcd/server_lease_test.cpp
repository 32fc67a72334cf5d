#include "server_lease_fixture.hpp"

namespace redlock::etcd {
namespace {

BOOST_FIXTURE_TEST_SUITE(server_lease_suite, lease_fixture)

BOOST_AUTO_TEST_CASE(a_life_is_rounded_up_to_seconds_and_is_two_at_least) {
    BOOST_TEST(server_ttl_for(1ms).count() == 2);
    BOOST_TEST(server_ttl_for(2000ms).count() == 2);
    BOOST_TEST(server_ttl_for(2001ms).count() == 3);
    BOOST_TEST(server_ttl_for(std::chrono::milliseconds::max()).count() == 9'000'000'000);
}

BOOST_AUTO_TEST_CASE(keys_of_one_life_share_a_lease_and_others_do_not) {
    const auto one = leases.shared(10s);
    BOOST_TEST(one == leases.shared(9500ms));
    BOOST_TEST(one != leases.shared(11s));
    BOOST_TEST(one != leases.own(10s));
    BOOST_TEST(leases.own(10s) != leases.own(10s));
    one->lost();
    BOOST_TEST(one != leases.shared(10s));
}

BOOST_AUTO_TEST_CASE(it_is_granted_for_those_who_are_there) {
    const auto one = leases.shared(10s);
    BOOST_TEST((one->needs(first_day) == need::nothing));
    one->join(somebody);
    BOOST_TEST((one->needs(first_day) == need::grant));
    one->sending(first_day, 7);
    BOOST_TEST((one->needs(first_day + 1h) == need::nothing));
    BOOST_TEST(!one->is_alive(first_day));
    BOOST_TEST(one->granted(10s, 7));
    BOOST_TEST(one->is_alive(first_day + 9999ms));
    BOOST_TEST(!one->is_alive(first_day + 10s));
}

BOOST_AUTO_TEST_CASE(a_life_counts_from_the_sending_of_what_was_answered) {
    const auto one = granted();
    BOOST_TEST((one->needs(first_day + 2999ms) == need::nothing));
    BOOST_TEST((one->needs(first_day + 3s) == need::keep_alive));
    one->sending(first_day + 3s, 7);
    BOOST_TEST((one->lives_until() == first_day + 10s));
    one->kept_alive(10s); // much later
    BOOST_TEST((one->lives_until() == first_day + 10s));
    one->proven(7);
    BOOST_TEST((one->lives_until() == first_day + 13s));
    // A key that was asked for behind that lives from the asking on for as long as the lease goes on.
    BOOST_TEST((one->sent_at(first_day + 4s, 10s) == first_day + 3s));
    BOOST_TEST((one->sent_at(first_day + 4s, 9s) == first_day + 4s));
    BOOST_TEST((one->sent_at(first_day + 5s, 9s) == first_day + 4s));
}

BOOST_AUTO_TEST_CASE(a_keepalive_that_nobody_answered_is_sent_again_and_changes_nothing) {
    const auto one = granted();
    one->sending(first_day + 3s, 7);
    one->unanswered(first_day + 4s, true);
    BOOST_TEST((one->lives_until() == first_day + 10s));
    BOOST_TEST((one->needs(first_day + 4s) == need::nothing));
    BOOST_TEST((one->needs(first_day + 5s) == need::keep_alive));
    // Also past its end: the server may have it yet.
    BOOST_TEST((one->needs(first_day + 1h) == need::keep_alive));
}

BOOST_AUTO_TEST_CASE(no_life_in_an_answer_is_the_loss) {
    const auto one = granted();
    one->sending(first_day + 3s, 7);
    BOOST_TEST(!one->kept_alive(0s));
    BOOST_TEST(one->is_over());
    // Whoever said so may not know it.
    BOOST_TEST((one->needs(first_day + 3s) == need::revoke));
    one->revoking();
    BOOST_TEST(!one->not_found(first_day + 4s));
    BOOST_TEST((one->needs(first_day + 1h) == need::nothing));
    // Nothing brings it back.
    one->sending(first_day + 4s, 7);
    BOOST_TEST(!one->kept_alive(10s));
    BOOST_TEST(one->is_over());
}

BOOST_AUTO_TEST_CASE(a_grant_that_nobody_answered_is_revoked_and_another_one_asked_for) {
    const auto one = leases.shared(10s);
    one->join(somebody);
    one->sending(first_day, 7);
    one->unanswered(first_day + 1s, true);
    BOOST_TEST(one->is_over());
    BOOST_TEST((one->needs(first_day + 1s) == need::revoke));
    BOOST_TEST(leases.shared(10s) != one);
    BOOST_TEST(leases.shared(10s)->id() != one->id());

    const auto unsent = leases.shared(20s);
    unsent->join(somebody);
    unsent->sending(first_day, 7);
    unsent->unanswered(first_day, false);
    BOOST_TEST((unsent->needs(first_day + 1s) == need::grant));
}

BOOST_AUTO_TEST_CASE(a_lost_connection_leaves_a_doubt_that_only_an_answer_ends) {
    const auto one = granted();
    BOOST_TEST(one->is_fresh(first_day + 1s));
    leases.in_doubt();
    BOOST_TEST(!one->is_fresh(first_day + 1s));
    BOOST_TEST((one->needs(first_day + 1s) == need::keep_alive));
    keep_alive(*one, first_day + 1s);
    BOOST_TEST(one->is_fresh(first_day + 1s));
    BOOST_TEST(!one->is_fresh(first_day + 2001ms));
}

BOOST_AUTO_TEST_CASE(a_shared_one_is_kept_for_a_while_and_one_for_a_key_ends_with_it) {
    const auto shared = granted();
    somebody.move_out();
    BOOST_TEST((shared->needs(first_day + 1s) == need::nothing));
    BOOST_TEST((shared->needs(first_day + 30s) == need::keep_alive));
    BOOST_TEST((shared->needs(first_day + 61s) == need::revoke));

    const auto own = leases.own(10s);
    own->join(somebody);
    own->sending(first_day, 7);
    own->granted(10s, 7);
    BOOST_TEST((own->needs(first_day + 3s) == need::keep_alive)); // while its key waits
    own->runs_out(true);
    BOOST_TEST((own->needs(first_day + 3s) == need::nothing));
    own->hurry();
    BOOST_TEST((own->needs(first_day + 3s) == need::keep_alive)); // asked for by name
    own->runs_out(false);
    somebody.move_out();
    BOOST_TEST((own->needs(first_day + 4s) == need::revoke));
}

BOOST_AUTO_TEST_CASE(with_too_many_graves_nobody_else_comes) {
    const auto one = granted();
    for (int i = 0; i < 256; ++i)
        one->bury();
    BOOST_TEST(leases.shared(10s) != one);
    BOOST_TEST((one->needs(first_day + 3s) == need::keep_alive));
    somebody.move_out();
    BOOST_TEST((one->needs(first_day + 3s) == need::revoke));
}

BOOST_AUTO_TEST_CASE(one_that_is_revoked_takes_nobody_even_where_that_was_not_answered) {
    const auto one = granted();
    somebody.move_out();
    BOOST_TEST((one->needs(first_day + 1s) == need::nothing));
    BOOST_TEST((one->needs(first_day + 61s) == need::revoke));
    one->revoking();
    BOOST_TEST(leases.shared(10s) != one);
    BOOST_TEST((one->needs(first_day + 1h) == need::nothing));
    one->not_revoked(first_day + 62s);
    BOOST_TEST(leases.shared(10s) != one);
    BOOST_TEST((one->needs(first_day + 62s) == need::nothing));
    BOOST_TEST((one->needs(first_day + 63s) == need::revoke)); // it is not kept alive meanwhile
    one->hurry();
    BOOST_TEST((one->needs(first_day + 63s) == need::revoke));
    one->lost();
    BOOST_TEST(!one->is_to_end());
}

// Its grant may be on its way yet, but not for ever.
BOOST_AUTO_TEST_CASE(one_whose_grant_was_not_answered_is_looked_for_again_when_it_is_not_there) {
    const auto one = leases.shared(10s);
    one->join(somebody);
    one->sending(first_day, 7);
    one->unanswered(first_day, true);
    somebody.move_out();
    BOOST_TEST(one->is_to_end());
    core::instant now = first_day;
    unsigned looks = 0;
    for (bool is_final = false; !is_final; ++looks) {
        BOOST_REQUIRE((one->needs(now) == need::revoke));
        one->revoking();
        is_final = !one->not_found(now);
        if (is_final) break;
        BOOST_TEST(!one->is_to_end()); // a client that closes does not wait for it
        BOOST_TEST(one->is_condemned());
        BOOST_TEST((one->needs(now) == need::nothing));
        now += 1s;
    }
    BOOST_TEST(looks == 30u);
    BOOST_TEST((now - first_day == 30s));
}

BOOST_AUTO_TEST_CASE(one_that_was_granted_or_never_sent_is_not_looked_for_again) {
    const auto one = granted();
    somebody.move_out();
    BOOST_TEST((one->needs(first_day + 1s) == need::nothing));
    BOOST_TEST((one->needs(first_day + 61s) == need::revoke));
    one->revoking();
    BOOST_TEST(!one->not_found(first_day + 61s));
    const auto other = leases.own(10s);
    other->join(somebody);
    other->sending(first_day, 7);
    other->unanswered(first_day, false);
    BOOST_TEST(!other->not_found(first_day));
}

BOOST_AUTO_TEST_CASE(whoever_is_told_may_leave_and_may_make_others_leave) {
    struct leaver final : tenant {
        void lease_lives() noexcept override { whom->move_out(); }
        void lease_failed(errc) noexcept override {}
        void lease_is_lost() noexcept override {}
        tenant* whom = nullptr;
    };
    leaver first, second;
    const auto one = leases.shared(10s);
    one->join(first);
    one->join(somebody);
    one->join(second);
    first.whom = &somebody;
    second.whom = &second;
    one->tell_all([](tenant& t) { t.lease_lives(); });
    BOOST_TEST(somebody.lives == 0);
    BOOST_TEST(first.is_tenant());
    BOOST_TEST(!second.is_tenant());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::etcd
