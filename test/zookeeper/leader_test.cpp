// What is ZooKeeper's own about leaders: their nodes, what others do to these, and servers that come and go.

#include "core/election/leader_record.hpp"
#include "leading/leading_fixture.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

struct zookeeper_leader_fixture : leading_fixture {
    std::optional<std::string> record() const {
        const auto found = somebody().read(leader());
        return found ? std::optional(found->data) : std::nullopt;
    }
    std::string record_of(const leadership& leads, const std::string& value,
                          std::uint64_t version = 1) const {
        return core::leader_record({leads.term(), version}, value);
    }
};

BOOST_AUTO_TEST_SUITE(zookeeper_leader_suite, *boost::unit_test::fixture<leading_servers>())

BOOST_FIXTURE_TEST_CASE(the_record_is_a_node_of_the_leaders_session, zookeeper_leader_fixture) {
    leadership leads = campaign(first, "me");
    const auto beside = somebody().read(leader());
    BOOST_REQUIRE(beside.has_value());
    BOOST_TEST(beside->data == record_of(leads, "me"));
    BOOST_TEST(beside->state.owner != 0);
    BOOST_TEST(beside->state.owner == somebody().read(place())->state.owner);
    BOOST_TEST(!proclaim(leads, "still"));
    BOOST_TEST(record().value() == record_of(leads, "still", 2));
    BOOST_TEST(!unlock(leads));
    BOOST_TEST(!record());
}

BOOST_FIXTURE_TEST_CASE(a_value_that_somebody_deleted_does_not_keep_a_leader_from_resigning,
                        zookeeper_leader_fixture) {
    leadership leads = campaign(first, "me");
    somebody().remove(leader());
    BOOST_TEST(!unlock(leads));
    BOOST_TEST(nothing_is_left());
    BOOST_TEST(somebody().read(folder())->data.empty());
}

BOOST_FIXTURE_TEST_CASE(who_proclaims_without_a_place_hears_at_once_that_the_lead_is_lost,
                        zookeeper_leader_fixture) {
    leadership leads = campaign(first, "me");
    somebody().remove(place());
    BOOST_TEST(proclaim(leads, "still") == errc::lease_lost);
    BOOST_TEST(!leads.valid());
    BOOST_TEST(nothing_is_left());
}

// It must not take the place of what the next one proclaims, nor delete that.
BOOST_FIXTURE_TEST_CASE(a_leader_who_hears_late_that_his_place_is_gone_leaves_the_next_ones_value,
                        zookeeper_leader_fixture) {
    client distant = make_distant_client();
    leadership late = campaign(distant, "late", patiently(3s));
    network.freeze();
    outcome<> proclaimed;
    late.async_proclaim("too late", proclaimed.handler());
    somebody().remove(place());
    leadership leads = campaign(second, "next");
    BOOST_TEST(record().value() == record_of(leads, "next"));
    network.thaw();
    complete(proclaimed);
    BOOST_TEST(bool(proclaimed.error()));
    BOOST_TEST(run_until([&] { return !late.valid(); }));
    late = leadership();
    close(distant);
    BOOST_TEST(record().value() == record_of(leads, "next"));
    BOOST_TEST(observe().value == "next");
}

BOOST_FIXTURE_TEST_CASE(what_nobody_of_this_library_wrote_is_nobodys_value, zookeeper_leader_fixture) {
    const std::string one = std::string(18, '0') + "1", none = std::string(19, '0');
    for (const std::string& path : {root, folder()})
        somebody().create(path);
    somebody().create(leader());
    for (const std::string& nonsense : std::vector<std::string>{
             "", "x", "1:1:x", one + ":" + one, none + ":" + one + ":x", one + ":" + none + ":x"}) {
        somebody().write(leader(), nonsense);
        outcome<leader_info> told = begin_to_observe(observes);
        BOOST_REQUIRE(run_until([&] { return told.done(); }));
        BOOST_TEST(told.error() == errc::protocol_error, nonsense);
        BOOST_TEST(!inspect(observes).leader);
    }
    leadership leads = campaign(first, "me"); // whatever stood there
    BOOST_TEST(observe().value == "me");
    BOOST_TEST(!unlock(leads));
    BOOST_TEST(!record());
}

BOOST_FIXTURE_TEST_CASE(what_somebody_puts_in_its_place_is_told_and_left_alone, zookeeper_leader_fixture) {
    leadership leads = campaign(first, "me");
    somebody().remove(leader());
    somebody().create(leader(), "x");
    somebody().write(leader(), "y");
    BOOST_TEST(proclaim(leads, "still") == errc::no_quorum);
    BOOST_TEST(first.metrics().nodes.at(0).last_error_text.ends_with(
        "keeps something else in the place of what the leader proclaims"));
    BOOST_TEST(record().value() == "y");
    BOOST_TEST(leads.valid());
    somebody().remove(leader());
    BOOST_TEST(!proclaim(leads, "anew"));
    BOOST_TEST(record().value() == record_of(leads, "anew", 3));
}

BOOST_FIXTURE_TEST_CASE(who_waits_to_lead_takes_no_value_along_when_he_gives_up, zookeeper_leader_fixture) {
    leadership leads = campaign(first, "me");
    for (const std::chrono::milliseconds wait : {0ms, 50ms}) {
        auto refused = ask(second, "too", {.ttl = long_ttl, .wait = wait});
        complete(refused);
        BOOST_TEST(bool(refused.error()));
        BOOST_TEST(run_until([&] { return places() == 1; }));
        BOOST_TEST(record().value() == record_of(leads, "me"));
    }
}

BOOST_AUTO_TEST_SUITE_END()

struct three_servers_election : zookeeper_fixture {
    explicit three_servers_election(std::unique_ptr<zookeeper_server> s = std::make_unique<zookeeper_server>(
                                        zookeeper_server::settings{.servers = 3, .tick = 1'500}))
        : zookeeper_fixture(*s), servers(std::move(s)) {}
    /// Once they have agreed on one.
    std::size_t leader() {
        std::optional<std::size_t> found;
        BOOST_REQUIRE(run_until(2 * patience, [&] {
            for (std::size_t i = 0; i < servers->size(); ++i)
                if (servers->leads(i)) found = i;
            return found.has_value();
        }));
        return *found;
    }

    const std::unique_ptr<zookeeper_server> servers;
    client locks = make_client(), others = make_client(), observes = make_client();
};

BOOST_FIXTURE_TEST_SUITE(zookeeper_servers_leader_suite, three_servers_election)

BOOST_AUTO_TEST_CASE(observers_follow_leaders_while_servers_come_and_go) {
    follower follows(observes);
    for (std::size_t i = 0; i < 3; ++i) {
        outcome<leadership> got;
        (i % 2 == 0 ? locks : others).async_campaign("key", "leader", patiently(60s), got.handler());
        complete(got);
        BOOST_REQUIRE(!got.error());
        BOOST_TEST(run_until([&] { return follows.sees("leader"); }));
        const std::size_t away = leader();
        servers->crash(away);
        const std::string value = "behind " + std::to_string(i);
        BOOST_TEST(run_until(2 * patience, [&] {
            outcome<> proclaimed;
            got.value().async_proclaim(value, proclaimed.handler());
            complete(proclaimed);
            return !proclaimed.error();
        }));
        BOOST_TEST(run_until([&] { return follows.sees(value); }));
        servers->start(away);
        servers->await_service();
        BOOST_TEST(run_until([&] { return !unlock(got.value()); }));
        BOOST_TEST(run_until([&] { return follows.sees_nobody(); }));
    }
    BOOST_TEST(!follows.has_fallen());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
