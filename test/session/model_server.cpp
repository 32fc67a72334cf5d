#include "session/model_server.hpp"

#include <fmt/format.h>

#include <utility>

namespace redlock::test {
namespace {

constexpr std::string_view server_facts =
    "# Server\r\nredis_version:7.0.15\r\nredis_mode:standalone\r\nrun_id:0123456789abcdef\r\n"
    "uptime_in_seconds:864000\r\n# Replication\r\nrole:master\r\n# Memory\r\nmaxmemory_policy:noeviction\r\n";

std::string hello() {
    return "%5\r\n" + bulk("server") + bulk("redis") + bulk("version") + bulk("7.0.15") + bulk("proto") +
           ":3\r\n" + bulk("mode") + bulk("standalone") + bulk("role") + bulk("master");
}

/// The digits at the end of a word; 0 when there are none.
std::string number_in(const std::string& word) {
    const auto digits = word.find_last_not_of("0123456789") + 1;
    return digits == word.size() ? "0" : word.substr(digits);
}

} // namespace

std::string bulk(std::string_view text) { return fmt::format("${}\r\n{}\r\n", text.size(), text); }

void model_server::feed(std::string_view bytes) {
    parser_.feed(bytes);
    for (command_parser::command found; parser_.next(found);)
        commands_.push_back(std::move(found));
}

std::string model_server::told(std::string_view what, const std::string& channel) const {
    if (!resp3_ && !listens_only_) return "-NOPERM this user has no permissions to access the channel\r\n";
    return (resp3_ ? ">3\r\n" : "*3\r\n") + bulk(what) + bulk(channel) + ":1\r\n";
}

std::string model_server::answer() {
    if (commands_.empty()) return "";
    const auto words = std::move(commands_.front());
    commands_.pop_front();
    const std::string_view name = words.empty() ? std::string_view() : std::string_view(words[0]);
    if (name == "HELLO") return resp3_ ? hello() : "-ERR unknown command 'HELLO'\r\n";
    if (name == "INFO") return bulk(server_facts);
    if (name == "TIME") return "*2\r\n" + bulk("1700000000") + bulk("0");
    if (name == "PING") return "+PONG\r\n";
    if (words.size() > 1) {
        if (name == "ECHO") return bulk(words[1]);
        if (name == "PTTL") return ":" + number_in(words[1]) + "\r\n";
        if (name == "SUBSCRIBE") return told("subscribe", words[1]);
        if (name == "UNSUBSCRIBE") return told("unsubscribe", words[1]);
    }
    return "+OK\r\n";
}

} // namespace redlock::test
