#include "engines/redis/examine/key_search.hpp"

#include "core/lock_token.hpp"
#include "engine/claim.hpp"
#include "engines/redis/node/cluster/hash_slot.hpp"

#include <algorithm>

namespace redlock::redis {

std::string key_search::pattern(bool tagged) const {
    if (tagged) return "*";
    std::string all;
    for (const char c : beginning_) {
        if (std::string_view("*?[]\\^-").find(c) != std::string_view::npos) all += '\\';
        all += c;
    }
    return all + '*';
}

bool key_search::is_candidate(std::string_view name, bool tagged) {
    for (const std::string_view suffix : {engine::claim::readers_suffix, engine::claim::queue_suffix})
        if (name.ends_with(suffix))
            add(tagged ? node::key_beside(name, suffix) : name.substr(0, name.size() - suffix.size()));
    return name.starts_with(beginning_) && !engine::claim::is_beside_a_lock(name);
}

void key_search::has(std::string_view name, std::string_view value) {
    if (core::read_token(value)) add(name);
}

void key_search::add(std::string_view name) {
    if (!name.starts_with(beginning_) || found_.contains(name)) return;
    if (is_full()) {
        more_ = true;
        return;
    }
    found_.emplace(name);
}

key_list key_search::result() && { return {.keys = {found_.begin(), found_.end()}, .more = more_}; }

} // namespace redlock::redis
