#pragma once

#include "lease/lease_fixture.hpp"

#include <redlock/leadership.hpp>

#include <string>

namespace redlock::test {

/// Two clients that campaign, and one that observes.
struct election_fixture : lease_fixture {
    outcome<leadership> ask(client& by, const std::string& value = "me", lock_options options = patiently()) {
        outcome<leadership> got;
        by.async_campaign("key", value, options, got.handler());
        return got;
    }
    leadership campaign(client& by, const std::string& value = "me", lock_options options = patiently()) {
        auto got = ask(by, value, options);
        BOOST_REQUIRE(complete(got));
        BOOST_REQUIRE_MESSAGE(!got.error(), got.error().message());
        return std::move(got.value());
    }
    error_code refusal(client& by, const std::string& value, lock_options options) {
        auto got = ask(by, value, options);
        BOOST_REQUIRE(complete(got));
        BOOST_TEST(!got.value());
        return got.error();
    }
    outcome<leader_info> begin_to_observe(leader_mark known = {}) {
        outcome<leader_info> got;
        observer.async_observe("key", known, got.handler());
        return got;
    }
    leader_info observe(leader_mark known = {}) { return expect(begin_to_observe(known)); }
    leader_info expect(outcome<leader_info> got) {
        BOOST_REQUIRE(complete(got));
        BOOST_REQUIRE_MESSAGE(!got.error(), got.error().message());
        return got.value();
    }
    error_code proclaim(leadership& l, const std::string& value) {
        outcome<> result;
        l.async_proclaim(value, result.handler());
        BOOST_REQUIRE(complete(result));
        return result.error();
    }

    client first = make_client();
    client second = make_client();
    client observer = make_client();
};

} // namespace redlock::test
