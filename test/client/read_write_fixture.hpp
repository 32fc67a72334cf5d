#pragma once

#include "lock_fixture.hpp"
#include "support/eventually.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>

namespace redlock::test {

inline constexpr const char* readers_of_key = "key:redlock-readers";

inline lock_options to(mode m, lock_options options = patiently()) {
    options.mode = m;
    return options;
}
inline lock_options to_read(lock_options options = patiently()) { return to(mode::read, options); }
inline lock_options to_write(lock_options options = patiently()) { return to(mode::write, options); }

/// Two clients on real nodes.
struct read_write_fixture : lock_fixture {
    client first{context.get_executor(), settings()};
    client second{context.get_executor(), settings()};

    std::size_t readers() {
        std::size_t most = 0;
        for (auto& node : nodes)
            most = std::max(most, static_cast<std::size_t>(node.command({"ZCARD", readers_of_key}).integer));
        return most;
    }
    bool nothing_is_left() {
        return run_until([&] { return nodes.holders("key") == 0 && nodes.holders(readers_of_key) == 0; });
    }
    error_code extend(lease& held, std::chrono::milliseconds ttl) {
        outcome<> result;
        held.async_extend(ttl, result.handler());
        BOOST_REQUIRE(run_until([&] { return result.done(); }));
        return result.error();
    }
    void settle(std::chrono::milliseconds time = 50ms) {
        BOOST_TEST(!run_until(time, [] { return false; }));
    }
};

} // namespace redlock::test
