#include "nodes/configuration_file.hpp"

#include "cli/setter.hpp"
#include "nodes/node_list.hpp"
#include "nodes/node_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sys/stat.h>

namespace redlock::tool {
namespace {

using std::chrono::milliseconds;

struct entry {
    const char* name;
    const char* value;
    const char* help;
    setter (*target)(config&);
};

setter into_wakeup(wakeup& target) {
    return [&target](const std::string& word) {
        static const std::map<std::string, wakeup> ways{{"automatic", wakeup::automatic},
                                                        {"keyspace_events", wakeup::keyspace_events},
                                                        {"client_tracking", wakeup::client_tracking},
                                                        {"timed", wakeup::timed}};
        const auto found = ways.find(word);
        if (found == ways.end())
            throw usage_error("wants automatic, keyspace_events, client_tracking or timed");
        target = found->second;
    };
}

setter into_yes_or_no(bool& target) {
    return [&target](const std::string& word) {
        if (word != "yes" && word != "no") throw usage_error("wants yes or no");
        target = word == "yes";
    };
}

setter into_hours(std::chrono::hours& target) {
    return [&target](const std::string& word) {
        target = std::chrono::ceil<std::chrono::hours>(parse_time(word));
    };
}

setter into_nodes(std::vector<std::string>& target) {
    return [&target](const std::string& word) {
        for (auto& node : split_nodes(word))
            target.push_back(std::move(node));
    };
}

constexpr milliseconds year = std::chrono::hours(24 * 365);

const entry entries[] = {
    {"node", "ADDRESS", "A node, as behind --node; on a line for each, or several on one line",
     [](config& c) { return into_nodes(c.nodes); }},
    {"backup", "ADDRESS", "As --backup", [](config& c) { return into(c.backup); }},
    {"node_timeout", "TIME", "As --node-timeout",
     [](config& c) { return into(c.node_timeout, milliseconds(1), std::chrono::minutes(1)); }},
    {"key_prefix", "TEXT", "As --key-prefix", [](config& c) { return into(c.key_prefix); }},
    {"client_name", "TEXT", "What CLIENT LIST shows on the nodes",
     [](config& c) { return into(c.client_name); }},
    {"restart_guard", "TIME",
     "The longest ttl in use by anybody: a node that was restarted votes again only after that time",
     [](config& c) { return into(c.restart_guard, milliseconds(0), year); }},
    {"drift_factor", "NUMBER", "How far clocks may drift apart, as a part of the ttl",
     [](config& c) { return into(c.drift_factor, 0, 0.5); }},
    {"drift_floor", "TIME", "The same, as a time that is added to it",
     [](config& c) { return into(c.drift_floor, milliseconds(0), year); }},
    {"fence_retention", "TIME", "How long a key's fencing counter outlives its last use",
     [](config& c) { return into_hours(c.fence_retention); }},
    {"wakeup", "WAY", "How waiting is done: automatic, keyspace_events, client_tracking or timed",
     [](config& c) { return into_wakeup(c.wakeup); }},
    {"cacert", "FILE", "As --cacert", [](config& c) { return into(c.tls.ca_file); }},
    {"cacertdir", "FOLDER", "As --cacertdir", [](config& c) { return into(c.tls.ca_path); }},
    {"cert", "FILE", "As --cert", [](config& c) { return into(c.tls.certificate_file); }},
    {"key", "FILE", "As --key", [](config& c) { return into(c.tls.key_file); }},
    {"tls_server_name", "NAME", "As --tls-server-name", [](config& c) { return into(c.tls.server_name); }},
    {"tls_verify", "yes|no", "Whether certificates of nodes are looked at; no is as --insecure",
     [](config& c) { return into_yes_or_no(c.tls.verify); }},
    {"configure_servers", "yes|no", "Whether keyspace events may be switched on where they are missing",
     [](config& c) { return into_yes_or_no(c.configure_servers); }},
};

// A command that has only just started connects and logs in within the time that its first question has.
config defaults() {
    config result;
    result.node_timeout = milliseconds(500);
    return result;
}

std::string trimmed(const std::string& text) {
    constexpr const char* blanks = " \t\r";
    const auto begin = text.find_first_not_of(blanks);
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

void parse_line(const std::string& line, config& target) {
    const auto sign = line.find('=');
    // The line may be an address with a password: it is not shown.
    if (sign == std::string::npos) throw usage_error("this is no \"name = value\"");
    const std::string name = trimmed(line.substr(0, sign));
    for (const auto& e : entries) {
        if (name != e.name) continue;
        try {
            return e.target(target)(trimmed(line.substr(sign + 1)));
        } catch (const usage_error& error) {
            throw usage_error(fmt::format("{} {}", name, error.what()));
        }
    }
    throw usage_error("nothing has this name");
}

std::optional<std::string> default_file() {
    const char* const home = std::getenv("HOME");
    const char* const folder = std::getenv("XDG_CONFIG_HOME");
    std::vector<std::string> places;
    if (folder && *folder)
        places.push_back(std::string(folder) + "/redlock/config");
    else if (home && *home)
        places.push_back(std::string(home) + "/.config/redlock/config");
    places.emplace_back("/etc/redlock.conf");
    for (const auto& place : places)
        if (std::ifstream(place)) return place;
    return std::nullopt;
}

void refuse_if_told_to_all(const std::string& file, const config& read) {
    struct stat facts {};
    const bool has_password =
        std::ranges::any_of(read.nodes, may_have_password) || may_have_password(read.backup);
    if (!has_password || ::stat(file.c_str(), &facts) != 0) return;
    if (S_ISREG(facts.st_mode) && (facts.st_mode & (S_IROTH | S_IWGRP | S_IWOTH)) != 0)
        throw usage_error(file + ": has a password in it, and can be read by all or changed by others: "
                                 "chmod go-w,o-r it");
}

} // namespace

std::vector<configuration_name> configuration_names() {
    std::vector<configuration_name> all;
    for (const auto& e : entries)
        all.push_back({e.name, e.value, e.help});
    return all;
}

config parse_configuration(std::istream& lines, const std::string& name) {
    config result = defaults();
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        line = trimmed(line);
        if (line.empty() || line[0] == '#') continue;
        try {
            parse_line(line, result);
        } catch (const usage_error& e) {
            throw usage_error(fmt::format("{}:{}: {}", name, number, e.what()));
        }
    }
    if (lines.bad()) throw usage_error(name + ": cannot be read");
    return result;
}

config read_configuration(const std::optional<std::string>& file) {
    const auto chosen = file ? file : default_file();
    if (!chosen) return defaults();
    std::ifstream lines(*chosen);
    if (!lines) throw usage_error(*chosen + ": cannot be opened");
    config read = parse_configuration(lines, *chosen);
    refuse_if_told_to_all(*chosen, read);
    return read;
}

} // namespace redlock::tool
