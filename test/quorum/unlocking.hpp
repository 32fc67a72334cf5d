#pragma once

#include "engine/failure.hpp"
#include "turn/outcome.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>

namespace redlock::test {

/// Waits for the answer to an unlock.
struct unlocking final : turn::outcome_waiter {
    void answered(const boost::system::error_code& how) noexcept override {
        BOOST_TEST(!outcome.has_value());
        outcome = how;
    }
    void hears_of(const boost::system::error_code&, const engine::failure& more) noexcept override {
        why = more.describe("deleted \"k\"");
    }
    std::optional<boost::system::error_code> outcome;
    std::string why;
};

} // namespace redlock::test
