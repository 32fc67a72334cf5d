#pragma once

#include "chaos/deployment/networks.hpp"
#include "support/mariadb_server.hpp"

#include <cstdint>

namespace redlock::chaos {

/// One MariaDB server.
class mariadb_servers final : public deployment {
public:
    std::vector<std::string> addresses(std::size_t site) override;
    client_terms terms() const override;
    faults known_faults() override;
    rhythm pace() const override;
    std::vector<std::string> keys_left() override;
    std::optional<bool> could_grant(std::int64_t now) override;

private:
    bool crash(dice& chance, wounds& open);
    bool stop(dice& chance, wounds& open);
    bool kill_connections();
    bool lock_table(dice& chance, wounds& open);

    test::mariadb_server server_;
    networks networks_{{server_.port()}};
    bool up_ = true;
    bool table_is_locked_ = false;
};

} // namespace redlock::chaos
