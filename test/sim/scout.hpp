#pragma once

#include "sim/server.hpp"
#include "sim/strike.hpp"

namespace redlock::sim {

/// Stands between the servers and who looks at them, and tells of the moments at which something may strike.
class scout final : public server_observer {
public:
    /// Nobody is told of moments when `wanted` is false.
    scout(server_observer& behind, occasion_listener& listener, bool wanted) noexcept
        : behind_(behind), listener_(listener), wanted_(wanted) {}

private:
    void key_changed(const server& at, std::string_view event, const std::string& key,
                     const connection* by) override {
        behind_.key_changed(at, event, key, by);
    }
    void executes(const server& at, const connection& from, const words& command) override;
    void key_asked_for(std::uint32_t client, const std::string& key) override {
        behind_.key_asked_for(client, key);
    }

    server_observer& behind_;
    occasion_listener& listener_;
    const bool wanted_;
};

} // namespace redlock::sim
