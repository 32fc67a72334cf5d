// What is to be said of one node: what its server and its user can do.

#include "doctor/node_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace redlock::tool {
namespace {

struct need {
    purpose what;
    severity weight;
    const char* topic;
    const char* text; ///< goes on in the rules that are missing
};

constexpr need needs[] = {
    {purpose::locking, severity::fault, "rights", "Locks cannot be taken or given back there"},
    {purpose::recognition, severity::warning, "rights",
     "A replica, one server under two addresses, and a restart cannot be recognised there"},
    {purpose::fencing, severity::warning, "rights", "Fencing tokens cannot be had there"},
    {purpose::reading, severity::warning, "rights", "Locks for reading and writing cannot be had there"},
    {purpose::restart_guard, severity::warning, "rights", "Jumps of its clock cannot be noticed"},
    {purpose::configuration, severity::warning, "rights",
     "notify-keyspace-events cannot be configured there"},
};

/// Whether this client, as it is configured, has a use for it.
bool is_of_use(purpose what, const config& settings) {
    if (what == purpose::restart_guard) return settings.restart_guard.count() > 0;
    if (what == purpose::configuration) return settings.configure_servers;
    return true;
}

/// The rules that are missing, with a blank between two.
std::string missing(const node_examination& node, purpose what, bool no_command) {
    std::string rules;
    for (const missing_right& right : node.missing_rights)
        if (right.needed_for == what && right.no_command == no_command)
            rules += (rules.empty() ? "" : " ") + right.rule;
    return rules;
}

std::string without_plus(std::string rules) {
    std::erase(rules, '+');
    return rules;
}

void look_at_rights(const node_examination& node, const config& settings, std::vector<finding>& all) {
    for (const need& n : needs) {
        if (!is_of_use(n.what, settings)) continue;
        if (const std::string rules = missing(node, n.what, false); !rules.empty())
            all.push_back({.weight = n.weight,
                           .topic = n.topic,
                           .text = fmt::format("{}: the user lacks {}.", n.text, rules),
                           .advice = fmt::format("ACL SETUSER, with the name of the user and {}", rules)});
        if (const std::string names = without_plus(missing(node, n.what, true)); !names.empty())
            all.push_back(
                {.weight = n.weight,
                 .topic = "commands",
                 .text = fmt::format("{}: the server does not know {}.", n.text, names),
                 .advice = "Use a newer server, or one on which the commands have their own names."});
    }
}

const char* cost_of(wakeup way) noexcept {
    if (way == wakeup::client_tracking)
        return "by CLIENT TRACKING instead, which costs a look after each renewal";
    return "by asking from time to time instead, every 1 to 100 ms";
}

void look_at_order(const node_examination& node, const config& settings, std::vector<finding>& all) {
    if (settings.wakeup != wakeup::automatic || node.refusal) return;
    std::string rules = missing(node, purpose::queues, false);
    const std::string names = without_plus(missing(node, purpose::queues, true));
    if (rules.empty() && names.empty()) return;
    const std::string why = rules.empty() ? "the server does not know " + names : "the user lacks " + rules;
    all.push_back(
        {.weight = severity::note,
         .topic = "order",
         .text =
             fmt::format("Waiting clients are not served in the order in which they came there: {}.", why),
         .advice = rules.empty() ? std::string()
                                 : fmt::format("ACL SETUSER, with the name of the user and {}", rules)});
}

void look_at_waiting(const node_examination& node, const config& settings, std::vector<finding>& all) {
    const bool wanted = settings.wakeup == wakeup::automatic || settings.wakeup == wakeup::keyspace_events;
    if (!wanted || node.refusal) return;
    if (node.wakeup == wakeup::automatic) {
        all.push_back({.weight = severity::note,
                       .topic = "wakeup",
                       .text = "How it tells that a key became free was not found out.",
                       .advice = {}});
        return;
    }
    if (node.wakeup == wakeup::keyspace_events) {
        if (const std::string rules = missing(node, purpose::keyspace_events, false); !rules.empty())
            all.push_back({.weight = severity::note,
                           .topic = "wakeup",
                           .text = fmt::format(
                               "Waiting clients do not know of each other there: the user lacks {}.", rules),
                           .advice = fmt::format("ACL SETUSER, with the name of the user and {}", rules)});
        return;
    }
    const std::string rules = missing(node, purpose::keyspace_events, false);
    const std::string why = rules.empty() ? "it sends no keyspace events" : "the user lacks " + rules;
    all.push_back(
        {.weight = severity::note,
         .topic = "wakeup",
         .text =
             fmt::format("Waiting clients learn that a key became free {}: {}.", cost_of(node.wakeup), why),
         .advice = rules.empty() ? "CONFIG SET notify-keyspace-events Kgxe, and the same in its "
                                   "configuration file; or configure_servers in the clients."
                                 : fmt::format("ACL SETUSER, with the name of the user and {}", rules)});
}

/// Of "7.0.15" 700.
unsigned number_of(const std::string& version) noexcept {
    unsigned parts[2] = {0, 0};
    const char* at = version.data();
    const char* const end = at + version.size();
    for (unsigned& part : parts) {
        const auto [next, error] = std::from_chars(at, end, part);
        if (error != std::errc()) break;
        at = next == end ? next : next + 1;
    }
    return 100 * std::min(parts[0], 1000u) + std::min(parts[1], 99u);
}

void look_at_version(const node_examination& node, std::vector<finding>& all) {
    if (node.version.empty() || node.product != "redis") return;
    const unsigned number = number_of(node.version);
    if (number < 600)
        all.push_back(
            {.weight = severity::warning,
             .topic = "version",
             .text = fmt::format("It runs Redis {}, which has neither fencing tokens nor CLIENT TRACKING.",
                                 node.version),
             .advice = "Use Redis 7 or later."});
    else if (number < 700)
        all.push_back({.weight = severity::note,
                       .topic = "version",
                       .text = fmt::format(
                           "It runs Redis {}: before 7.0 a lock that is refused does not name its "
                           "holder{}.",
                           node.version, number < 602 ? ", and before 6.2 fencing tokens are dear" : ""),
                       .advice = "Use Redis 7 or later."});
    if (node.protocol == 2)
        all.push_back({.weight = severity::note,
                       .topic = "protocol",
                       .text = "It speaks RESP2 with this user: waiting takes a second connection.",
                       .advice = "Let the user run HELLO."});
}

} // namespace

void look_at_abilities(const node_examination& node, const config& settings, std::vector<finding>& all) {
    look_at_rights(node, settings, all);
    look_at_waiting(node, settings, all);
    look_at_order(node, settings, all);
    look_at_version(node, all);
}

} // namespace redlock::tool
