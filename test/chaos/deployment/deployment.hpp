#pragma once

#include "chaos/client_terms.hpp"
#include "chaos/fault.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace redlock::chaos {

/// Clients are on two sites, each with networks of its own to the servers.
inline constexpr std::size_t site_count = 2;

/// Longer than any ttl of the clients with its lock delay, or what they keep a key for, see client_takes.cpp.
inline constexpr std::chrono::milliseconds longest_lease{1500};
/// For so long a queue may stay in which a client stood that was killed, or could not say that it left: see
/// "What the nodes keep" in docs/handover.md.
inline constexpr std::chrono::milliseconds longest_left{10'000};

/// How often, and how many at a time, faults are made.
struct rhythm {
    std::chrono::milliseconds first{0};
    std::chrono::milliseconds shortest{50};
    std::chrono::milliseconds longest{400};
    std::size_t most_at_once = 4;
};

/// The servers of one engine, running from its construction on, with networks between them and the clients,
/// and what can be done to both. A new engine is one more of these, named in `deployments.cpp`. Made, used
/// and destroyed in one thread.
class deployment {
public:
    deployment() = default;
    deployment(const deployment&) = delete;
    deployment& operator=(const deployment&) = delete;
    virtual ~deployment() = default;

    /// For `config::nodes` of the clients of this site.
    virtual std::vector<std::string> addresses(std::size_t site) = 0;
    virtual client_terms terms() const = 0;

    /// All that it knows. They may refer to it.
    virtual faults known_faults() = 0;
    virtual rhythm pace() const { return {}; }

    /// What is left of locks on any server, in words: "node 0 has key:1". All servers are well.
    virtual std::vector<std::string> keys_left() = 0;

    /// Whether clients of every site could be granted keys at this time of `chaos::now`; nothing where that
    /// is not known.
    virtual std::optional<bool> could_grant(std::int64_t /*now*/) { return std::nullopt; }
    /// What else is worth saying in the end; may be empty.
    virtual std::string remark() const { return {}; }
};

} // namespace redlock::chaos
