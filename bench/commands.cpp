#include "commands.hpp"

#include "engines/redis/dialect/commands.hpp"
#include "engines/redis/resp/command.hpp"

#include <redlock/lock_options.hpp>

#include <fmt/format.h>

namespace bench {
namespace {

namespace redis = redlock::redis;
namespace node = redlock::node;

redlock::core::lock_token token_of(std::size_t caller) {
    static const redlock::core::client_name client(1);
    return {client, caller, caller};
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
    redis::server_dialect dialect;
    dialect.meet(server);
    dialect.takes(redis::by_text(redis::script::release));
    redis::encoder by;
    const redis::claim claim("", redlock::detail::key_text(key), token_of(token));
    redis::set_command acquire(by, claim, redlock::lock_options().ttl);
    redis::release_command release(by, claim, {});
    acquire.put_for(dialect);
    release.put_for(dialect);
    return {std::string(acquire.bytes()), std::string(release.bytes())};
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
