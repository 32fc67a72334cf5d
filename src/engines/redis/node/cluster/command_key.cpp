#include "engines/redis/node/cluster/command_key.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace redlock::node {
namespace {

/// Takes the words of a command off, one by one: it was encoded here, so it is well-formed.
class words {
public:
    explicit words(std::string_view encoded) noexcept : rest_(encoded) { number(); }

    std::string_view next() noexcept {
        const std::size_t size = number();
        const std::string_view word = rest_.substr(0, size);
        rest_.remove_prefix(std::min(rest_.size(), size + 2));
        return word;
    }

private:
    std::size_t number() noexcept {
        std::size_t value = 0;
        if (rest_.empty()) return value;
        const char* const end = std::from_chars(rest_.data() + 1, rest_.data() + rest_.size(), value).ptr;
        rest_.remove_prefix(std::min(rest_.size(), static_cast<std::size_t>(end - rest_.data()) + 2));
        return value;
    }

    std::string_view rest_;
};

constexpr std::array<std::string_view, 12> about_no_key{"ACL",    "CLIENT", "CLUSTER", "COMMAND",
                                                        "CONFIG", "INFO",   "PING",    "PUBLISH",
                                                        "ROLE",   "SCAN",   "TIME",    "WAIT"};

bool stands_among(std::string_view word, std::initializer_list<std::string_view> all) noexcept {
    return std::ranges::find(all, word) != all.end();
}

/// The key whose events a channel is for, `__keyspace@0__:key`; else the whole name, which is as good as any.
std::string_view key_of_channel(std::string_view channel) noexcept {
    const auto colon = channel.starts_with("__keyspace@") ? channel.find(':') : channel.npos;
    return colon == channel.npos ? channel : channel.substr(colon + 1);
}

} // namespace

command_place place_of_command(std::string_view encoded) noexcept {
    words all(encoded);
    command_place found{.name = all.next(), .key = std::nullopt};
    if (std::ranges::find(about_no_key, found.name) != about_no_key.end()) return found;
    if (stands_among(found.name, {"EVAL", "EVALSHA"})) {
        all.next(); // what to run
        if (all.next() != "0") found.key = all.next();
    } else if (stands_among(found.name, {"SUBSCRIBE", "UNSUBSCRIBE"})) {
        found.key = key_of_channel(all.next());
    } else if (found.name == "PUBSUB") {
        all.next(); // of its commands, which one
        found.key = key_of_channel(all.next());
    } else {
        found.key = all.next();
    }
    return found;
}

} // namespace redlock::node
