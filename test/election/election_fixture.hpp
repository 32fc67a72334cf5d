#pragma once

#include "client/lock_fixture.hpp"

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

/// Looks all the time, and sees to it that terms and versions never fall.
class follower {
public:
    explicit follower(client& by) : by_(&by) { go_on({}); }
    follower(const follower&) = delete;
    follower& operator=(const follower&) = delete;
    ~follower() { *alive_ = false; }

    const std::vector<leader_info>& told() const noexcept { return told_; }
    const leader_info& last() const { return told_.back(); }
    bool has_fallen() const noexcept { return has_fallen_; }
    error_code error() const noexcept { return error_; }
    bool sees(const std::string& value) const {
        return !told_.empty() && told_.back().present && told_.back().value == value;
    }
    bool sees_nobody() const { return !told_.empty() && !told_.back().present; }

private:
    void go_on(leader_mark known) {
        by_->async_observe("key", known, [this, alive = alive_](error_code ec, leader_info info) {
            if (!*alive) return;
            error_ = ec;
            if (ec) return;
            if (info.present) {
                has_fallen_ |= info.mark.term < highest_.term ||
                               (info.mark.term == highest_.term && info.mark.version < highest_.version);
                highest_ = info.mark;
            }
            told_.push_back(info);
            go_on(info.mark);
        });
    }

    client* by_;
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
    std::vector<leader_info> told_;
    leader_mark highest_;
    bool has_fallen_ = false;
    error_code error_;
};

} // namespace redlock::test
