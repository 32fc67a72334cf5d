#include "support/false_server.hpp"

#include <utility>

namespace redlock::test {

std::string bulk(std::string_view text) {
    return "$" + std::to_string(text.size()) + "\r\n" + std::string(text) + "\r\n";
}

std::string array(const std::vector<std::string>& elements) {
    std::string all = "*" + std::to_string(elements.size()) + "\r\n";
    for (const std::string& each : elements)
        all += each;
    return all;
}

std::string number(std::int64_t value) { return ":" + std::to_string(value) + "\r\n"; }

false_server::false_server(const std::string& run_id)
    : peer_({.answer = [this](const command_parser::command& words) { return respond(words); }}) {
    says("HELLO", "%2\r\n+server\r\n+redis\r\n+proto\r\n:3\r\n");
    says("INFO", bulk("redis_version:7.0.15\r\nrole:master\r\nuptime_in_seconds:100000\r\nrun_id:" + run_id +
                      "\r\nmaster_replid:" + run_id + "\r\n"));
    says("PING", "+PONG\r\n");
}

void false_server::says(const std::string& command, std::string bytes) {
    answers(command, [said = std::move(bytes)](const command_parser::command&) { return said; });
}

void false_server::answers(const std::string& command, answer how) {
    const std::lock_guard guard(mutex_);
    answers_[command] = std::move(how);
}

unsigned false_server::asked(const std::string& command, std::string_view about) const {
    const std::lock_guard guard(mutex_);
    unsigned all = 0;
    if (const auto found = asked_.find(command); found != asked_.end())
        for (const auto& [what, times] : found->second)
            if (about.empty() || about == what) all += times;
    return all;
}

std::string false_server::respond(const command_parser::command& words) {
    if (words.empty()) return {};
    std::size_t named = 1;
    std::string name = words.front();
    if ((name == "CLUSTER" || name == "SENTINEL") && words.size() > 1) name += ' ' + words.at(named++);
    const std::lock_guard guard(mutex_);
    ++asked_[name][words.size() > named ? words.at(named) : std::string()];
    const auto found = answers_.find(name);
    return found == answers_.end() ? "-ERR unknown command\r\n" : found->second(words);
}

} // namespace redlock::test
