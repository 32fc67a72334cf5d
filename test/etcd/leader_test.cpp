// What is etcd's own about leaders: its keys, what it forgets, users, and members that come and go.

#include "leading/leading_fixture.hpp"

#include <string>
#include <vector>

namespace redlock::test {
namespace {

std::string in_digits(std::uint64_t number) {
    const std::string text = std::to_string(number);
    return std::string(19 - text.size(), '0') + text;
}

struct etcd_leader_fixture : leading_fixture {
    std::string record() { return cluster.get("redlock-leader/key").value_or(""); }
    std::string revision_now() {
        const std::string status = cluster.control({"get", "key", "-w", "json"});
        const std::size_t at = status.find("\"revision\":") + 11;
        return status.substr(at, status.find_first_of(",}", at) - at);
    }
    void compact() { cluster.control({"compaction", revision_now()}); }
};

BOOST_FIXTURE_TEST_SUITE(etcd_leader_suite, etcd_leader_fixture)

BOOST_AUTO_TEST_CASE(the_record_is_under_the_lease_of_the_key) {
    leadership leads = campaign(first, "me", patiently(5s));
    BOOST_TEST(record() == in_digits(leads.term()) + ":" + in_digits(1) + ":me");
    const auto lease_of = [&](const std::string& key) {
        const std::string shown = cluster.control({"get", key, "-w", "fields"});
        const std::size_t at = shown.find("\"Lease\" : ");
        return shown.substr(at, shown.find('\n', at) - at);
    };
    const std::string key = cluster.keys("redlock/").at(0);
    BOOST_TEST(lease_of("redlock-leader/key") == lease_of(key));
    outcome<> extended;
    leads.async_extend(20s, extended.handler());
    complete(extended);
    BOOST_TEST(!extended.error());
    BOOST_TEST(lease_of("redlock-leader/key") == lease_of(key));
    BOOST_TEST(leases() == 2u);
    BOOST_TEST(record() == in_digits(leads.term()) + ":" + in_digits(1) + ":me");
}

BOOST_AUTO_TEST_CASE(the_end_of_the_lease_takes_key_and_value_at_once) {
    leadership leads = campaign(first, "me");
    follower follows(observes);
    BOOST_REQUIRE(run_until([&] { return follows.sees("me"); }));
    const std::string listed = cluster.control({"lease", "list"});
    cluster.control({"lease", "revoke",
                     listed.substr(listed.find('\n') + 1, listed.rfind('\n') - listed.find('\n') - 1)});
    BOOST_TEST(run_until([&] { return follows.sees_nobody(); }));
    BOOST_TEST(proclaim(leads, "still") == errc::lease_lost);
    BOOST_TEST(!leads.valid());
    BOOST_TEST(nothing_is_left());
}

// It must not take the place of what the next one proclaims, nor delete that.
BOOST_AUTO_TEST_CASE(a_leader_who_hears_late_that_his_key_is_gone_leaves_the_next_ones_value) {
    client distant = make_distant_client();
    leadership late = campaign(distant, "late", patiently(20s));
    network.freeze();
    outcome<> proclaimed;
    late.async_proclaim("too late", proclaimed.handler());
    cluster.control({"del", cluster.keys("redlock/").at(0)});
    leadership leads = campaign(second, "next");
    BOOST_TEST(record() == in_digits(leads.term()) + ":" + in_digits(1) + ":next");
    network.thaw();
    complete(proclaimed);
    BOOST_TEST(bool(proclaimed.error()));
    BOOST_TEST(run_until([&] { return !late.valid(); }));
    late = leadership();
    close(distant);
    BOOST_TEST(record() == in_digits(leads.term()) + ":" + in_digits(1) + ":next");
    BOOST_TEST(observe().value == "next");
}

BOOST_AUTO_TEST_CASE(what_nobody_of_this_library_wrote_is_nobodys_value) {
    const std::string one = in_digits(1);
    for (const std::string& nonsense : std::vector<std::string>{
             "", "x", "1:1:x", one + ":" + one, one + ":" + one + "x", in_digits(0) + ":" + one + ":x",
             one + ":" + in_digits(0) + ":x", "9999999999999999999:" + one + ":x",
             one + ":" + one + ":" + std::string(max_leader_value_size + 1, 'v')}) {
        cluster.put("redlock-leader/key", nonsense);
        outcome<leader_info> told = begin_to_observe(observes);
        BOOST_REQUIRE(run_until([&] { return told.done(); }));
        BOOST_TEST(told.error() == errc::protocol_error, nonsense);
        BOOST_TEST(!inspect(observes).leader);
    }
    leadership leads = campaign(first, "me"); // whatever stood there
    BOOST_TEST(observe().value == "me");
    BOOST_TEST(!unlock(leads));
    BOOST_TEST(nothing_is_left());
}

BOOST_AUTO_TEST_CASE(observers_do_not_miss_what_the_cluster_has_forgotten) {
    client distant = make_distant_client();
    follower follows(distant);
    leadership leads = campaign(first, "0");
    BOOST_REQUIRE(run_until([&] { return follows.sees("0"); }));
    for (int i = 1; i <= 4; ++i) {
        const std::string value = std::to_string(i);
        network.black_hole();
        BOOST_TEST(!proclaim(leads, "between"));
        if (i % 2 == 0) {
            BOOST_TEST(!unlock(leads));
            leads = campaign(second, value);
        } else {
            BOOST_TEST(!proclaim(leads, value));
        }
        compact();
        network.pass();
        BOOST_TEST(run_until([&] { return follows.sees(value); }));
    }
    // Without a word of the network in between.
    BOOST_TEST(!proclaim(leads, "last"));
    compact();
    BOOST_TEST(run_until([&] { return follows.sees("last"); }));
    BOOST_TEST(!unlock(leads));
    compact();
    BOOST_TEST(run_until([&] { return follows.sees_nobody(); }));
    BOOST_TEST(!follows.has_fallen());
}

BOOST_AUTO_TEST_CASE(a_crash_of_the_cluster_keeps_leader_and_observers) {
    follower follows(observes);
    leadership leads = campaign(first, "me", patiently(20s));
    BOOST_REQUIRE(run_until([&] { return follows.sees("me"); }));
    cluster.kill(0);
    cluster.start(0);
    cluster.await_ready();
    BOOST_TEST(run_until([&] { return !proclaim(leads, "still"); }));
    BOOST_TEST(run_until([&] { return follows.sees("still"); }));
    BOOST_TEST(!follows.has_fallen());
    BOOST_TEST(run_until([&] { return !unlock(leads); }));
    BOOST_TEST(nothing_is_left());
}

BOOST_AUTO_TEST_SUITE_END()

struct three_members_election : etcd_fixture {
    three_members_election() : etcd_fixture(etcd_options{.members = 3}) {}
    client locks = make_client(), others = make_client(), observes = make_client();
};

BOOST_FIXTURE_TEST_SUITE(etcd_members_leader_suite, three_members_election)

BOOST_AUTO_TEST_CASE(observers_follow_leaders_while_members_come_and_go) {
    follower follows(observes);
    for (std::size_t i = 0; i < 3; ++i) {
        outcome<leadership> got;
        (i % 2 == 0 ? locks : others).async_campaign("key", "leader", patiently(20s), got.handler());
        complete(got);
        BOOST_REQUIRE(!got.error());
        BOOST_TEST(run_until([&] { return follows.sees("leader"); }));
        const std::size_t away = cluster.leader();
        i == 1 ? cluster.cut_off(away) : cluster.kill(away);
        cluster.leader_beside(away);
        const std::string value = "behind " + std::to_string(i);
        BOOST_TEST(run_until([&] {
            outcome<> proclaimed;
            got.value().async_proclaim(value, proclaimed.handler());
            complete(proclaimed);
            return !proclaimed.error();
        }));
        BOOST_TEST(run_until([&] { return follows.sees(value); }));
        if (i == 1)
            cluster.join();
        else
            cluster.start(away);
        cluster.await_ready();
        BOOST_TEST(run_until([&] { return !unlock(got.value()); }));
        BOOST_TEST(run_until([&] { return follows.sees_nobody(); }));
    }
    BOOST_TEST(!follows.has_fallen());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
