// What an observer and the metrics say of each kind, on the engine in memory.

#include "lease/lease_fixture.hpp"

#include <redlock/leadership.hpp>
#include <redlock/lease_set.hpp>
#include <redlock/observer.hpp>
#include <redlock/prometheus.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace redlock::test {
namespace {

std::string name_of(lease_kind k) {
    constexpr const char* names[] = {"exclusive", "read", "write", "permit", "leadership"};
    return names[static_cast<std::size_t>(k)];
}

struct kind_diary final : observer {
    void granted(std::string_view key, std::chrono::nanoseconds) noexcept override {
        note("granted " + std::string(key));
    }
    void granted_as(std::string_view key, const granted_lease& what) noexcept override {
        std::string line = std::string(key) + " as " + name_of(what.kind);
        if (what.slot) line += " in slot " + std::to_string(*what.slot);
        if (what.fencing_token) line += " with a token";
        note(line);
    }
    void entered_again(std::string_view key) noexcept override { note("entered " + std::string(key)); }
    void downgraded(std::string_view key) noexcept override { note("downgraded " + std::string(key)); }
    void proclaimed(std::string_view name, std::string_view value) noexcept override {
        note(std::string(name) + " proclaims " + std::string(value));
    }
    void released(std::string_view key, std::chrono::nanoseconds) noexcept override {
        note("released " + std::string(key));
    }
    void note(std::string line) { all.push_back(std::move(line)); }

    std::vector<std::string> all;
};

struct wait_counter final : observer {
    void waiting(std::string_view key) noexcept override { waits += key == "pool"; }
    unsigned waits = 0;
};

struct kind_observation_fixture : lease_fixture {
    kind_observation_fixture()
        : seen(std::make_shared<kind_diary>()), locks(context.get_executor(), watched()) {}
    config watched() const {
        config c = settings();
        c.observer = seen;
        return c;
    }
    void expect(const std::vector<std::string>& happened) {
        settle();
        BOOST_TEST(std::exchange(seen->all, {}) == happened, boost::test_tools::per_element());
    }
    kind_count of(lease_kind k) const { return locks.metrics().kinds.at(static_cast<std::size_t>(k)); }
    bool counts(lease_kind k, std::uint64_t grants, std::size_t held) const {
        const kind_count found = of(k);
        return found.kind == k && found.grants == grants && found.held == held;
    }
    template <class... Result>
    error_code ended(outcome<Result...>& result) {
        BOOST_REQUIRE(complete(result));
        return result.error();
    }

    const std::shared_ptr<kind_diary> seen;
    client locks;
};

BOOST_FIXTURE_TEST_SUITE(kind_observation, kind_observation_fixture,
                         *boost::unit_test::precondition(engine_in_hand))

BOOST_AUTO_TEST_CASE(who_reads_and_who_writes_is_told_apart) {
    lease reader = lock(locks, "key", {.ttl = long_ttl, .mode = mode::read});
    expect({"granted key", "key as read"});
    BOOST_TEST(counts(lease_kind::read, 1, 1));
    BOOST_TEST(!unlock(reader));
    lease writer = lock(locks, "key", {.ttl = long_ttl, .fencing = true, .mode = mode::write});
    expect({"released key", "granted key", "key as write with a token"});
    BOOST_TEST(counts(lease_kind::write, 1, 1));
    outcome<> done;
    writer.async_downgrade(done.handler());
    BOOST_TEST(!ended(done));
    expect({"downgraded key"});
    BOOST_TEST(counts(lease_kind::write, 1, 0));
    BOOST_TEST(counts(lease_kind::read, 1, 1));
    BOOST_TEST(locks.metrics().downgrades == 1u);
    BOOST_TEST(!unlock(writer));
    expect({"released key"});
    BOOST_TEST(counts(lease_kind::read, 1, 0));
    BOOST_TEST(locks.metrics().grants == 2u);
    BOOST_TEST(locks.metrics().held == 0u);
}

BOOST_AUTO_TEST_CASE(who_has_to_wait_for_a_permit_is_observed_once) {
    const auto counter = std::make_shared<wait_counter>();
    config c = settings();
    c.observer = counter;
    client counted(context.get_executor(), c);
    const lock_options options{.ttl = long_ttl, .wait = forever, .permits = 2};
    lease one = lock(counted, "pool", options);
    lease two = lock(counted, "pool", options);
    BOOST_TEST(counter->waits == 0u);
    outcome<lease> third;
    counted.async_lock("pool", options, third.handler());
    settle();
    BOOST_TEST(counter->waits == 1u);
    BOOST_TEST(counted.metrics().wait_time.count == 0u);
    BOOST_TEST(!unlock(one));
    BOOST_TEST(!ended(third));
    BOOST_TEST(counter->waits == 1u);
    BOOST_TEST(counted.metrics().wait_time.count == 1u);
}

BOOST_AUTO_TEST_CASE(and_so_is_who_has_to_wait_for_a_set) {
    const auto counter = std::make_shared<wait_counter>();
    config c = settings();
    c.observer = counter;
    client counted(context.get_executor(), c);
    const std::vector<std::string> both{"other", "pool"};
    hold(24h, "pool");
    outcome<lease_set> set;
    counted.async_lock_all(both, {.ttl = long_ttl, .wait = forever}, set.handler());
    BOOST_REQUIRE(run_until([&] { return waiting("pool") == 1; }));
    BOOST_TEST(counter->waits == 1u);
    lose("pool");
    BOOST_TEST(!ended(set));
    BOOST_TEST(counter->waits == 1u);
    BOOST_TEST(counted.metrics().wait_time.count == 1u);
    // Nobody waits for what is free.
    const std::vector<std::string> free{"some", "more"};
    outcome<lease_set> another;
    counted.async_lock_all(free, {.ttl = long_ttl, .wait = forever}, another.handler());
    BOOST_TEST(!ended(another));
    BOOST_TEST(counted.metrics().wait_time.count == 1u);
}

BOOST_AUTO_TEST_CASE(a_permit_says_which_it_is) {
    lease one = lock(locks, "pool", {.ttl = long_ttl, .permits = 2});
    lease two = lock(locks, "pool", {.ttl = long_ttl, .permits = 2});
    const std::string first = std::to_string(one.slot()), second = std::to_string(two.slot());
    BOOST_TEST(first != second);
    expect({"granted pool", "pool as permit in slot " + first, "granted pool",
            "pool as permit in slot " + second});
    BOOST_TEST(counts(lease_kind::permit, 2, 2));
    BOOST_TEST(!unlock(one));
    BOOST_TEST(!unlock(two));
    BOOST_TEST(counts(lease_kind::permit, 2, 0));
}

BOOST_AUTO_TEST_CASE(an_owner_enters_again_without_a_grant) {
    const owner me;
    const lock_options mine{.ttl = long_ttl, .owner = &me};
    lease outer = lock(locks, "key", mine);
    lease inner = lock(locks, "key", mine);
    expect({"granted key", "key as exclusive", "entered key"});
    BOOST_TEST(counts(lease_kind::exclusive, 1, 1));
    BOOST_TEST(locks.metrics().reentries == 1u);
    BOOST_TEST(!unlock(outer));
    expect({});
    BOOST_TEST(!unlock(inner));
    expect({"released key"});
    BOOST_TEST(counts(lease_kind::exclusive, 1, 0));
}

BOOST_AUTO_TEST_CASE(each_of_several_keys_is_a_grant) {
    const std::vector<std::string> keys{"b", "a"};
    outcome<lease_set> both;
    locks.async_lock_all(keys, patiently(), both.handler());
    BOOST_TEST(!ended(both));
    expect({"granted b", "b as exclusive", "granted a", "a as exclusive"});
    BOOST_TEST(counts(lease_kind::exclusive, 2, 2));
}

BOOST_AUTO_TEST_CASE(a_leader_and_what_he_proclaims_is_told) {
    outcome<leadership> won;
    locks.async_campaign("role", "one", patiently(), won.handler());
    BOOST_TEST(!ended(won));
    expect({"granted role", "role as leadership with a token", "role proclaims one"});
    BOOST_TEST(counts(lease_kind::leadership, 1, 1));
    outcome<> told;
    won.value().async_proclaim("two", told.handler());
    BOOST_TEST(!ended(told));
    expect({"role proclaims two"});
    const std::string text = to_prometheus(locks.metrics());
    BOOST_TEST(text.find("redlock_grants_by_kind_total{kind=\"leadership\"} 1\n") != std::string::npos);
    BOOST_TEST(text.find("redlock_leases_held_by_kind{kind=\"leadership\"} 1\n") != std::string::npos);
    BOOST_TEST(text.find("redlock_leases_held_by_kind{kind=\"read\"} 0\n") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
