#pragma once

#include "chaos/deployment/networks.hpp"
#include "support/etcd_server.hpp"

#include <array>
#include <cstddef>

namespace redlock::chaos {

/// Three members of an etcd cluster, of which one at a time is killed, stopped, or cut off from the others.
class etcd_members final : public deployment {
public:
    etcd_members();

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
    bool cut_off(dice& chance, wounds& open);
    /// From the next election on, that is.
    void is_well_again();

    test::etcd_server cluster_{test::etcd_options{.members = count}};
    networks networks_{ports()};
    bool one_is_ill_ = false;
    std::int64_t grants_from_ = 0;
    std::size_t losses_ = 0;
};

} // namespace redlock::chaos
