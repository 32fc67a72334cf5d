#pragma once

#include "lease/lease_fixture.hpp"

#include <string>
#include <vector>

namespace redlock::test {

/// Two clients, and calls for several keys.
struct lock_all_fixture : lease_fixture {
    using keys = std::vector<std::string>;

    outcome<lease_set> ask(client& by, const keys& wanted, lock_options options = patiently()) {
        outcome<lease_set> got;
        by.async_lock_all(wanted, options, got.handler());
        return got;
    }
    lease_set lock_all(client& by, const keys& wanted, lock_options options = patiently()) {
        auto got = ask(by, wanted, options);
        BOOST_REQUIRE(complete(got));
        BOOST_REQUIRE_MESSAGE(!got.error(), got.error().message());
        return std::move(got.value());
    }
    error_code unlock_all(lease_set& held) {
        outcome<> result;
        held.async_unlock(result.handler());
        BOOST_REQUIRE(complete(result));
        return result.error();
    }
    void expect_free(const keys& all) {
        for (const std::string& key : all)
            BOOST_TEST(!is_held(key), key << " is held");
    }

    client locks = make_client();
    client other = make_client();
};

} // namespace redlock::test
