#pragma once

#include "support/scripted_peer.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::test {

/// A server that logs everybody in, and answers each command as the test tells it, at any time. For what is
/// told of other servers: by Sentinels, and by the servers of a cluster. Thread-safe.
class false_server {
public:
    using answer = std::function<std::string(const command_parser::command&)>;

    /// By its run id it is told from others.
    explicit false_server(const std::string& run_id);

    /// From now on this is what it says to that command: its first word, or, of `CLUSTER` and `SENTINEL`, the
    /// first two. To others it says that it does not know them.
    void says(const std::string& command, std::string bytes);
    void answers(const std::string& command, answer how);
    /// How often it was asked so, about this in the word behind; about anything when it is empty.
    unsigned asked(const std::string& command, std::string_view about = {}) const;

    std::uint16_t port() const noexcept { return peer_.port(); }
    /// `127.0.0.1:port`
    std::string place() const { return "127.0.0.1:" + std::to_string(port()); }

private:
    std::string respond(const command_parser::command& words);

    mutable std::mutex mutex_;
    std::map<std::string, answer> answers_;
    std::map<std::string, std::map<std::string, unsigned, std::less<>>> asked_;
    scripted_peer peer_;
};

/// RESP, for answers.
std::string bulk(std::string_view text);
std::string array(const std::vector<std::string>& elements);
std::string number(std::int64_t value);

} // namespace redlock::test
