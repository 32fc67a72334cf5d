#pragma once

#include "chaos/deployment/networks.hpp"
#include "support/zookeeper_server.hpp"

#include <cstddef>
#include <cstdint>

namespace redlock::chaos {

/// Three servers of a ZooKeeper ensemble, of which one at a time is killed or stopped.
class zookeeper_servers final : public deployment {
public:
    std::vector<std::string> addresses(std::size_t site) override;
    client_terms terms() const override;
    faults known_faults() override;
    rhythm pace() const override;
    std::vector<std::string> keys_left() override;
    std::optional<bool> could_grant(std::int64_t now) override;
    std::string remark() const override;

private:
    static constexpr std::size_t count = 3;

    std::vector<std::uint16_t> ports() const;
    /// Whichever is, or the one that leads.
    std::size_t victim(dice& chance);
    bool kill(dice& chance, wounds& open);
    bool stop(dice& chance, wounds& open);
    /// From the next election on, that is.
    void is_well_again();

    test::zookeeper_server ensemble_{{.servers = count, .tick = 200}};
    networks networks_{ports()};
    bool one_is_ill_ = false;
    std::int64_t grants_from_ = 0;
    std::size_t losses_ = 0;
};

} // namespace redlock::chaos
