#pragma once

#include "chaos/deployment/networks.hpp"
#include "support/postgres_server.hpp"

#include <chrono>
#include <cstdint>
#include <deque>

namespace redlock::chaos {

/// A PostgreSQL server, alone, or with a standby that takes over now and then and may lack what was granted
/// last.
class postgres_servers final : public deployment {
public:
    explicit postgres_servers(bool with_standby);

    std::vector<std::string> addresses(std::size_t site) override;
    client_terms terms() const override;
    faults known_faults() override;
    rhythm pace() const override;
    std::vector<std::string> keys_left() override;
    std::optional<bool> could_grant(std::int64_t now) override;
    std::string remark() const override;

private:
    using clock = std::chrono::steady_clock;
    struct member {
        explicit member(std::vector<std::string> settings) : server(std::move(settings)) {}
        explicit member(test::postgres_server::standby_of other) : server(other) {}
        test::postgres_server server;
        bool up = true;
    };

    static std::deque<member> started(bool with_standby);
    static std::vector<std::uint16_t> ports_of(const std::deque<member>& all);
    member& primary() { return members_[primary_]; }
    member& standby() { return members_[1 - primary_]; }
    bool has_standby() const noexcept { return members_.size() > 1; }

    bool crash(dice& chance, wounds& open);
    static bool stop(member& one, dice& chance, wounds& open);
    bool kill_connections();
    bool lock_table(dice& chance, wounds& open);
    bool fail_over(dice& chance, wounds& open);
    void follow_later(member& before, std::chrono::milliseconds when, wounds& open);

    std::deque<member> members_;
    networks networks_;
    std::size_t primary_ = 0;
    bool table_is_locked_ = false;
    std::int64_t grants_from_ = 0; ///< the guards of the clients are over then
    clock::time_point next_fail_over_ = clock::now();
    std::size_t fail_overs_ = 0;
};

} // namespace redlock::chaos
