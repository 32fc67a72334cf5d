#pragma once

#include "chaos/deployment/deployment.hpp"
#include "support/fault_proxy.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace redlock::chaos {

/// A network between each site and each server.
class networks {
public:
    explicit networks(const std::vector<std::uint16_t>& server_ports);

    test::fault_proxy& way(std::size_t site, std::size_t server) { return ways_.at(site).at(server).proxy; }
    /// Whether nothing is wrong with it.
    bool passes(std::size_t site, std::size_t server) const { return ways_.at(site).at(server).passes; }
    std::size_t servers() const noexcept { return ways_[0].size(); }

    /// Of one network, and, where there are several servers, of one site with some of them. They refer to
    /// this.
    faults known_faults();

private:
    enum class harm { black_hole, one_way, frozen, slow, refused };
    struct passage {
        explicit passage(std::uint16_t port) : proxy(port) {}
        test::fault_proxy proxy;
        bool passes = true;
    };

    static void inflict(passage& way, harm kind, dice& chance);
    bool harm_one(harm kind, dice& chance, wounds& open);
    bool reset_one(dice& chance);
    bool part_site(dice& chance, wounds& open);

    std::array<std::deque<passage>, site_count> ways_;
};

} // namespace redlock::chaos
