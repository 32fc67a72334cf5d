#include "commands.hpp"

#include "engines/redis/dialect/session.hpp"
#include "engines/redis/resp/command.hpp"

#include <redlock/lock_options.hpp>

#include <fmt/format.h>

#include <array>

namespace bench {
namespace {

namespace redis = redlock::redis;
namespace node = redlock::node;

/// A node that keeps the bytes of the last command instead of sending them.
class listening_node final : public node::node {
public:
    explicit listening_node(const redlock::node::server_info& server) : server_(server) {}

    redlock::errc submit(const redlock::node::request& r) noexcept override {
        heard.assign(r.command);
        return redlock::errc{};
    }
    void flush() noexcept override {}
    redlock::node::health state() const noexcept override { return redlock::node::health::ready; }
    const redlock::node::server_info& server() const noexcept override { return server_; }
    redlock::node::status report() const override { return {}; }
    std::chrono::nanoseconds round_trip() const noexcept override { return {}; }
    std::chrono::nanoseconds usual_round_trip() const noexcept override { return {}; }
    std::string_view name() const noexcept override { return "nowhere"; }

    std::string heard;

private:
    redlock::node::server_info server_;
};

redlock::core::lock_token token_of(std::size_t caller) {
    std::array<std::uint8_t, redlock::core::lock_token::random_bytes> bytes{};
    for (std::size_t i = 0; i < sizeof(caller); ++i)
        bytes[i] = static_cast<std::uint8_t>(caller >> (8 * i));
    return redlock::core::lock_token(bytes);
}

} // namespace

std::string encode(std::initializer_list<std::string_view> words) {
    std::string bytes;
    redlock::resp::append_command(bytes, words);
    return bytes;
}

std::string key_of(side s, std::size_t caller) {
    return fmt::format("bench:{}:{:05}", s == side::library ? "order" : "floor", caller);
}

caller_commands encode_for(std::string_view key, std::size_t token, const node::server_info& server) {
    const redis::addressee nobody{nullptr, 0, {}};
    listening_node nowhere(server);
    redis::session session(nowhere, nowhere);
    session.reconnected();
    session.script_ran(redis::script::release);
    redlock::resp::command_batch batch;
    const redis::claim claim("", redlock::detail::key_text(key), token_of(token));
    redis::encoding acquire(batch);
    session.set(claim, redlock::lock_options().ttl, nobody, acquire);
    auto acquire_bytes = nowhere.heard;
    redis::encoding release(batch);
    session.release(claim, nobody, release);
    return {std::move(acquire_bytes), nowhere.heard};
}

std::vector<caller_commands> encode_for(std::size_t callers, const node::server_info& server) {
    std::vector<caller_commands> all;
    for (std::size_t caller = 0; caller < callers; ++caller)
        all.push_back(encode_for(key_of(side::floor, caller), caller, server));
    return all;
}

node::server_info prepare(wire_node& node) {
    node.ask(encode({"HELLO", "3"}));
    node.ask(encode({"SCRIPT", "LOAD", redis::text_of(redis::script::release)}));
    redlock::node::server_info server;
    redlock::node::read_info(node.ask(encode({"INFO", "server"})), server);
    return server;
}

} // namespace bench
