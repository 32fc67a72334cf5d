#pragma once

#include "engine/failure.hpp"

#include <string>
#include <string_view>

namespace redlock::redis {

class quorum;
class round;

/// Says which nodes made a round fail, and why. For as long as the round is there.
class round_failure final : public engine::failure {
public:
    /// `instead` is what the nodes have not done, where that is not what the caller thinks: `agreed on a
    /// fencing token for`.
    round_failure(const quorum& q, const round& failed, const char* instead = nullptr) noexcept
        : quorum_(q), failed_(failed), instead_(instead) {}

    /// `no majority of the 5 nodes has granted the lock "order:17": `, and each node that failed, or had not
    /// answered, with its reason.
    std::string describe(std::string_view done) const override;

private:
    const quorum& quorum_;
    const round& failed_;
    const char* const instead_;
};

} // namespace redlock::redis
