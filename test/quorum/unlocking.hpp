#pragma once

#include "turn/outcome.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>

namespace redlock::test {

/// Waits for the answer to an unlock.
struct unlocking final : turn::outcome_waiter {
    void answered(const boost::system::error_code& how) noexcept override {
        BOOST_TEST(!outcome.has_value());
        outcome = how;
    }
    std::optional<boost::system::error_code> outcome;
};

} // namespace redlock::test
