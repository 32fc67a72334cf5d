#include "sim/fence_watch.hpp"

#include "core/lock_token.hpp"
#include "engines/redis/quorum/claim.hpp"
#include "support/command_parser.hpp"

#include <algorithm>
#include <utility>

namespace redlock::sim {

void fence_watch::sends(std::string_view bytes) {
    const bool asks_for_key = bytes.find("SET\r\n") != bytes.npos;
    const bool asks_for_fence = bytes.find(redis::claim::fence_suffix) != bytes.npos;
    if (!asks_for_key && !asks_for_fence) return;
    test::command_parser parser;
    parser.feed(bytes);
    words command;
    if (!parser.next(command)) return;
    if (command[0] == "SET" && command.size() > 3) return ask_for_key(command);
    if (command[0] == "ZADD") {
        const auto proposed = tokens_of_proposal_.find(command.at(1) + command.at(command.size() - 2));
        if (proposed == tokens_of_proposal_.end()) return;
        for (const std::string& token : proposed->second)
            if (const auto found = by_token_.find(token); found != by_token_.end())
                ask_for_fence(found->second);
    }
    // The advancement: two keys, token, proposal, retention. A renewal has the life of the key besides.
    if (!command[0].starts_with("EVAL") || command.size() != 8) return;
    if (const auto found = by_token_.find(command[5]); found != by_token_.end()) ask_for_fence(found->second);
    ask_for_fence(handed_on_[command[3]]);
}

void fence_watch::ask_for_key(const words& set) {
    const std::string token = set[2].substr(0, core::lock_token::size);
    // Without GET it may be asked again, of a server that did not understand: no new round.
    const bool begins = std::ranges::find(set, "GET") != set.end() || !by_token_.contains(token);
    if (begins) by_token_[token] = {};
    if (set[2].size() <= token.size()) return;
    const std::string proposal = set[2].substr(token.size() + 1);
    tokens_of_proposal_[set[1] + std::string(redis::claim::fence_suffix) + proposal].insert(token);
}

nanoseconds fence_watch::began_asking(const std::string& full_key, const std::string& token) {
    const asking handed_on = std::exchange(handed_on_[full_key], {});
    const auto own = by_token_.extract(token);
    return own ? own.mapped().began : handed_on.began;
}

} // namespace redlock::sim
