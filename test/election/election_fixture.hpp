#pragma once

#include "client/lock_fixture.hpp"
#include "election/follower.hpp"

#include <redlock/leadership.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace redlock::test {

inline constexpr const char* value_of_key = "key:redlock-leader";

inline lock_options with_ttl(std::chrono::milliseconds ttl) {
    lock_options options = patiently();
    options.ttl = ttl;
    return options;
}

/// Two clients that campaign on real nodes, and one that observes.
struct nodes_election_fixture : lock_fixture {
    using lock_fixture::lock_fixture;

    outcome<leadership> ask(client& by, const std::string& value, lock_options options = patiently(),
                            const std::string& name = "key") {
        outcome<leadership> got;
        by.async_campaign(name, value, options, got.handler());
        return got;
    }
    leadership campaign(client& by, const std::string& value, lock_options options = patiently(),
                        const std::string& name = "key") {
        return expect(ask(by, value, options, name));
    }
    error_code refusal(client& by, const std::string& value, lock_options options) {
        auto got = ask(by, value, options);
        BOOST_REQUIRE(run_until([&] { return got.done(); }));
        BOOST_TEST(!got.value());
        return got.error();
    }
    outcome<leader_info> begin_to_observe(leader_mark known = {}, const std::string& name = "key") {
        outcome<leader_info> got;
        observes.async_observe(name, known, got.handler());
        return got;
    }
    leader_info observe(leader_mark known = {}, const std::string& name = "key") {
        return expect(begin_to_observe(known, name));
    }
    template <class Result>
    Result expect(outcome<Result> got) {
        BOOST_REQUIRE(run_until([&] { return got.done(); }));
        BOOST_REQUIRE_MESSAGE(!got.error(), got.error().message());
        return std::move(got.value());
    }
    error_code proclaim(leadership& l, const std::string& value) {
        outcome<> result;
        l.async_proclaim(value, result.handler());
        BOOST_REQUIRE(run_until([&] { return result.done(); }));
        return result.error();
    }
    bool nothing_is_left() {
        return run_until([&] { return nodes.holders("key") == 0 && nodes.holders(value_of_key) == 0; });
    }
    void settle(std::chrono::milliseconds time = 100ms) {
        BOOST_TEST(!run_until(time, [] { return false; }));
    }

    client first{context.get_executor(), settings()};
    client second{context.get_executor(), settings()};
    client observes{context.get_executor(), settings()};
};

} // namespace redlock::test
