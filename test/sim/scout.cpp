#include "sim/scout.hpp"

#include "engines/redis/dialect/scripts.hpp"
#include "engines/redis/quorum/claim.hpp"

#include <optional>

namespace redlock::sim {

namespace {

using redis::script;

std::optional<moment> moment_of_script(const std::string& named) {
    const auto is = [&](script s) { return named == redis::hash_of(s) || named == redis::text_of(s); };
    if (is(script::release) || is(script::release_retold) || is(script::release_several))
        return moment::releases;
    if (is(script::read_try)) return moment::asks;
    if (is(script::write_try)) return moment::waits;
    if (is(script::extend) || is(script::extend_fenced) || is(script::read_extend) ||
        is(script::write_extend))
        return moment::renews;
    if (is(script::advance_fence) || is(script::advance_several) || is(script::read_advance))
        return moment::gets_token;
    return std::nullopt;
}

std::optional<moment> moment_of(const words& command) {
    const std::string& name = command[0];
    if (name == "SET" && command.size() > 3) return moment::asks;
    if (name == "DELEX" || name == "DELIFEQ" || name == "DEL" || name == "ZREM") return moment::releases;
    if (name == "PTTL") return moment::waits;
    if (name.starts_with("EVAL") && command.size() > 3) return moment_of_script(command[1]);
    return std::nullopt;
}

} // namespace

void scout::executes(const server& at, const connection& from, const words& command) {
    behind_.executes(at, from, command);
    if (!wanted_) return;
    const auto m = moment_of(command);
    if (!m) return;
    // Of those who read some commands name their set alone, which is no lock.
    std::string key = command[command[0].starts_with("EVAL") ? 3 : 1];
    if (key.ends_with(redis::claim::readers_suffix))
        key.resize(key.size() - redis::claim::readers_suffix.size());
    listener_.comes({.at = *m, .client = from.client(), .server = at.index(), .key = key});
}

} // namespace redlock::sim
