#pragma once

#include <redlock/config.hpp>
#include <redlock/node_examination.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace redlock::tool {

enum class severity : std::uint8_t {
    note,    ///< worth knowing
    warning, ///< costs time, or safety under circumstances
    fault    ///< the node is of no use, or locks are not safe
};

/// Something about a set of nodes that its operator should know.
struct finding {
    severity weight = severity::note;
    std::string topic{};              ///< one word for programs; it does not change from version to version
    std::vector<std::size_t> nodes{}; ///< that it is about, by their places; empty for the set as a whole
    std::string text{};               ///< what is so
    std::string advice{};             ///< what to do about it; empty for nothing
};

/// What an examination comes to, the gravest first: faults, warnings, notes. `settings` is the configuration
/// of the client that made it. Passwords are in none of the texts.
std::vector<finding> findings_of(const std::vector<node_examination>& nodes, const config& settings);

/// Whether there is no fault.
bool is_fit(const std::vector<finding>& all) noexcept;

/// A word for it: "note", "warning" or "fault".
const char* word_of(severity weight) noexcept;

/// A time as people read it: "250 us", "3.2 ms", "12 s".
std::string readable(std::chrono::nanoseconds time);

} // namespace redlock::tool
