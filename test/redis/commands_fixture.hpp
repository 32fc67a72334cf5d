#pragma once

#include "engines/redis/dialect/commands.hpp"
#include "engines/redis/dialect/queue_commands.hpp"
#include "support/any_token.hpp"

#include <chrono>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace redlock::test {

using namespace redis;
using namespace std::chrono_literals;

inline constexpr core::instant begun{1h};
inline constexpr auto by_native = command_form::delex;

inline server_dialect dialect_of(std::string product, std::string version) {
    server_dialect d;
    node::server_info server;
    server.product = std::move(product);
    server.version = std::move(version);
    d.meet(server);
    return d;
}

struct commands_fixture {
    encoder by;
    claim ours{"app:", detail::key_text("key"), any_token()};
    claim fenced{"", detail::key_text("key"), any_token(), 17};
    server_dialect usual = dialect_of("redis", "7.0.15");

    /// The words of a command, between blanks.
    static std::string words(std::string_view bytes) {
        std::string found;
        std::size_t at = bytes.find("\r\n") + 2;
        while (at < bytes.size()) {
            const std::size_t size = std::stoul(std::string(bytes.substr(at + 1)));
            at = bytes.find("\r\n", at) + 2;
            found.append(found.empty() ? "" : " ").append(bytes.substr(at, size));
            at += size + 2;
        }
        return found;
    }
    template <class Command>
    std::string put(Command&& command, const server_dialect& d) {
        command.put_for(d);
        return words(command.bytes());
    }
    std::string put(auto&& command) { return put(command, usual); }

    static std::string eval(script s, std::string_view rest, bool by_its_hash = false) {
        return std::string(by_its_hash ? "EVALSHA " : "EVAL ")
            .append(by_its_hash ? hash_of(s) : text_of(s))
            .append(" ")
            .append(std::to_string(keys_of(s)))
            .append(" ")
            .append(rest);
    }
    static std::string joined(std::initializer_list<std::string_view> parts) {
        std::string all;
        for (const std::string_view part : parts)
            all.append(all.empty() ? "" : " ").append(part);
        return all;
    }
};

} // namespace redlock::test
