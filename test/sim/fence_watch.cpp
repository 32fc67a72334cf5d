#include "sim/fence_watch.hpp"

#include "core/holder_value.hpp"
#include "core/lock_token.hpp"
#include "engines/redis/dialect/scripts.hpp"
#include "engines/redis/quorum/claim.hpp"
#include "support/command_parser.hpp"

#include <algorithm>
#include <utility>

namespace redlock::sim {

namespace {

bool runs(const words& command, redis::script s) {
    return command.size() > 6 && (command[1] == redis::hash_of(s) || command[1] == redis::text_of(s));
}

std::string token_in(std::string_view value) { return std::string(value.substr(0, core::lock_token::size)); }

} // namespace

void fence_watch::sends(std::string_view bytes) {
    const bool asks_for_key = bytes.find("SET\r\n") != bytes.npos;
    const bool asks_for_fence = bytes.find(redis::claim::fence_suffix) != bytes.npos;
    const bool is_shared = bytes.find(redis::claim::readers_suffix) != bytes.npos;
    if (!asks_for_key && !asks_for_fence && !is_shared) return;
    test::command_parser parser;
    parser.feed(bytes);
    words command;
    while (parser.next(command))
        sends(command);
}

void fence_watch::sends(const words& command) {
    if (command[0] == "SET" && command.size() > 3) return ask_for_key(command);
    if (ask_for_shared_key(command)) return;
    if (command[0] == "ZADD") {
        const auto proposed = tokens_of_proposal_.find(command.at(1) + command.at(command.size() - 2));
        if (proposed == tokens_of_proposal_.end()) return;
        for (const std::string& token : proposed->second)
            if (const auto found = by_token_.find(token); found != by_token_.end())
                ask_for_fence(found->second);
    }
    if (runs(command, redis::script::advance_several)) {
        const std::size_t keys = std::stoul(command[2]) / 2;
        for (std::size_t i = 0; i < keys; ++i)
            advance(command.at(3 + i), command.at(3 + 2 * keys + i));
    }
    if (runs(command, redis::script::advance_fence) || runs(command, redis::script::read_advance))
        advance(command[3], command.at(5));
}

void fence_watch::advance(const std::string& key, std::string_view value) {
    if (const auto found = by_token_.find(token_in(value)); found != by_token_.end())
        ask_for_fence(found->second);
    ask_for_fence(handed_on_[key]);
}

void fence_watch::ask_for_key(const words& set) {
    const std::string token = token_in(set[2]);
    // Without GET it may be asked again, of a server that did not understand: no new round.
    const bool begins = std::ranges::find(set, "GET") != set.end() || !by_token_.contains(token);
    if (begins) by_token_[token] = {};
    const auto proposed = core::read_holder_value(set[2], token.size()).fencing_token;
    if (!proposed) return;
    const std::string proposal = std::to_string(*proposed);
    tokens_of_proposal_[set[1] + std::string(redis::claim::fence_suffix) + proposal].insert(token);
}

// One who reads may propose his token in the same write. One who writes asks for his when he has found that
// nobody reads: whatever he was given before does not count.
bool fence_watch::ask_for_shared_key(const words& command) {
    if (runs(command, redis::script::read_several)) {
        const std::size_t keys = std::stoul(command[2]) / 2;
        for (std::size_t i = 0; i < keys; ++i)
            by_token_[token_in(command.at(3 + 2 * keys + i))] = {.began = events_.now()};
        return true;
    }
    const bool reads = runs(command, redis::script::read_try);
    if (!reads && !runs(command, redis::script::write_try)) return false;
    by_token_[token_in(command.at(5))] = reads ? asking{.began = events_.now()} : asking{};
    return true;
}

nanoseconds fence_watch::began_asking(const std::string& full_key, const std::string& token) {
    const asking handed_on = std::exchange(handed_on_[full_key], {});
    const auto own = by_token_.extract(token);
    return own ? own.mapped().began : handed_on.began;
}

} // namespace redlock::sim
