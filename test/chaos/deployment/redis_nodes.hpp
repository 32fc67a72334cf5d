#pragma once

#include "chaos/deployment/networks.hpp"
#include "support/node_set.hpp"

#include <array>
#include <cstdint>

namespace redlock::chaos {

/// Five independent Redis nodes that keep what they have promised, or lose it now and then and are not
/// trusted for a while then.
class redis_nodes final : public deployment {
public:
    explicit redis_nodes(bool lose_data);

    std::vector<std::string> addresses(std::size_t site) override;
    client_terms terms() const override;
    faults known_faults() override;
    std::vector<std::string> keys_left() override;
    std::optional<bool> could_grant(std::int64_t now) override;

private:
    static constexpr std::size_t count = 5;
    struct node_state {
        bool up = true;
        std::int64_t trusted_from = 0;
    };

    bool kill_one(dice& chance, wounds& open, bool without_data);
    bool stop_one(dice& chance, wounds& open);

    const bool lose_data_;
    test::node_set nodes_;
    networks networks_;
    std::array<node_state, count> states_;
};

} // namespace redlock::chaos
