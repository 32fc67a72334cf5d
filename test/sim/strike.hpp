#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::sim {

/// What a client is about when something strikes: blind chance hardly ever meets the few instants that count.
enum class moment : std::uint8_t { asks, renews, releases, gets_token, waits, hands_over, is_granted };
inline constexpr unsigned moment_count = 7;

/// What strikes. The last three are done to the key, by somebody who is no client of the locks.
enum class deed : std::uint8_t {
    reset_connection,
    cut_both_ways,
    cut_one_way,
    stop_server,
    crash_server,
    stop_client,
    suspend_client,
    kill_client,
    nudge_clock, ///< of the server, by what the allowance for drift has room for
    overwrite,
    prolong,
    remove
};
inline constexpr unsigned deed_count = 12;

std::string_view name_of(moment m) noexcept;
std::string_view name_of(deed d) noexcept;

/// Where and when and what: one occasion.
struct occasion {
    moment at;
    std::uint32_t client;
    std::uint32_t server;
    std::string key; ///< with its prefix
};

/// Told of every such moment, as it comes.
class occasion_listener {
public:
    virtual void comes(const occasion& now) = 0;

protected:
    ~occasion_listener() = default;
};

/// What strikes in one world, and at which moments. Nothing, if there are none.
struct strikes {
    double probability = 0; ///< for each moment
    std::vector<moment> moments;
    std::vector<deed> deeds;

    bool has(deed d) const noexcept;
    bool has(moment m) const noexcept;
    std::string description() const;
};

} // namespace redlock::sim
