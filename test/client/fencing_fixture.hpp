#pragma once

#include "lock_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace redlock::test {

inline constexpr lock_options fenced{.ttl = long_ttl, .fencing = true};
inline constexpr lock_options fenced_once{.ttl = long_ttl, .wait = 0ms, .fencing = true};

/// A client that hands out fencing tokens for "key", and its nodes, whose fences can be looked at and set.
struct fencing_fixture : proxied_fixture {
    std::uint64_t token_of(const lease& held) {
        BOOST_REQUIRE(held.fencing_token().has_value());
        return *held.fencing_token();
    }

    /// Takes the lock and gives it back.
    std::uint64_t next_token(client& with) {
        lease held = lock(with, "key", fenced);
        const std::uint64_t token = token_of(held);
        BOOST_TEST(!unlock(held));
        return token;
    }

    void set_fence(redis_server& node, std::uint64_t fence) {
        BOOST_REQUIRE(
            !node.command({"ZADD", "key:redlock-fence", std::to_string(fence), "fence"}).is_error());
    }
    std::uint64_t fence_of(redis_server& node) {
        const std::string score = node.command({"ZSCORE", "key:redlock-fence", "fence"}).text;
        return score.empty() ? 0 : std::stoull(score);
    }
    std::size_t nodes_with_fence(std::uint64_t fence) {
        return static_cast<std::size_t>(
            std::ranges::count_if(nodes, [&](auto& node) { return fence_of(node) == fence; }));
    }
    error_code check(std::uint64_t token) {
        outcome<> checked;
        locks.async_check("key", token, checked.handler());
        BOOST_REQUIRE(run_until([&] { return checked.done(); }));
        return checked.error();
    }

    client locks{context.get_executor(), settings()};
};

} // namespace redlock::test
