#include "doctor/node_findings.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace redlock::tool {
namespace {

using numbers = std::array<unsigned, 3>;

/// Of "3.5.16" these three; nothing of what is not like that.
std::optional<numbers> numbers_of(std::string_view version) {
    numbers found{};
    const char* at = version.data();
    const char* const end = at + version.size();
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto [next, error] = std::from_chars(at, end, found[i]);
        const bool is_last = i + 1 == found.size();
        if (error != std::errc() || (!is_last && (next == end || *next != '.'))) return std::nullopt;
        at = next + 1;
    }
    return found;
}

/// Mistakes are taken out of each line of versions by a release of its own.
struct remedy {
    unsigned of_3_4;
    unsigned of_3_5;
    unsigned of_3_6;

    bool is_in(const numbers& version) const {
        if (version[0] != 3 || version[1] > 6) return version[0] > 3 || version[1] > 6;
        if (version[1] < 4) return false;
        constexpr unsigned first_line = 4;
        const std::array lines{of_3_4, of_3_5, of_3_6};
        return version[2] >= lines[version[1] - first_line];
    }
};

/// A leader that was replaced without knowing it revokes leases by its own clock (etcd #15247).
constexpr remedy revoked_by_old_leader{.of_3_4 = 31, .of_3_5 = 13, .of_3_6 = 0};
/// A lease that is revoked meanwhile is said to be kept alive (etcd #20615).
constexpr remedy renewed_though_revoked{.of_3_4 = 38, .of_3_5 = 23, .of_3_6 = 5};

} // namespace

void look_at_etcd(const node_examination& node, std::vector<finding>& all) {
    for (const missing_right& right : node.missing_rights)
        all.push_back({.weight = severity::fault,
                       .topic = "locking",
                       .text = fmt::format("The user may not do what every lock needs: {}.", right.rule),
                       .advice = "Grant its role the right to read and write all keys with that prefix."});
    const auto version = numbers_of(node.version);
    if (!version) return;
    if (!revoked_by_old_leader.is_in(*version))
        all.push_back(
            {.weight = severity::fault,
             .topic = "version",
             .text = fmt::format("It runs etcd {}, of which a leader that stood still for some seconds ends "
                                 "leases that have been renewed with the next one: two clients can then have "
                                 "one lock.",
                                 node.version),
             .advice = "Use etcd 3.5.23, 3.6.5 or later."});
    else if (!renewed_though_revoked.is_in(*version))
        all.push_back(
            {.weight = severity::warning,
             .topic = "version",
             .text = fmt::format("It runs etcd {}, which may say that a lease was renewed that is being "
                                 "revoked at this moment.",
                                 node.version),
             .advice = "Use etcd 3.5.23, 3.6.5 or later, and revoke no leases by hand."});
}

} // namespace redlock::tool
