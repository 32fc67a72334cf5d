#include "sim/keyspace.hpp"

#include <algorithm>

namespace redlock::sim {

namespace {

std::string upper(std::string_view word) {
    std::string out(word);
    std::ranges::transform(out, out.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; });
    return out;
}

} // namespace

bool keyspace::only_reads(std::string_view command) noexcept {
    return command == "GET" || command == "PTTL" || command == "EXISTS";
}

keyspace::entry* keyspace::find(const std::string& key) {
    const auto found = entries_.find(key);
    if (found == entries_.end()) return nullptr;
    if (!has_run_out(found->second)) return &found->second;
    entries_.erase(found);
    listener_.key_changed("expired", key);
    return nullptr;
}

const keyspace::entry* keyspace::look(const std::string& key) const {
    const auto found = entries_.find(key);
    return found == entries_.end() || has_run_out(found->second) ? nullptr : &found->second;
}

void keyspace::expire_in(entry& e, std::int64_t milliseconds) {
    e.expires = now_ + milliseconds;
    const nanoseconds lag = dice_.between(nanoseconds(0), lag_);
    e.reaped = *e.expires + 1 + std::chrono::duration_cast<std::chrono::milliseconds>(lag).count();
}

value keyspace::call(const words& command) {
    const std::string name = upper(command.at(0));
    if (command.size() < 2) return value::error("ERR wrong number of arguments");
    const std::string& key = command[1];
    if (name == "SET") return set(command);
    if (name == "DEL") return remove_all(command);
    if (name == "MGET") return get_all(command);
    if (name == "ZADD") return add(command);
    if (name == "DELIFEQ") return remove_if(key, command.at(2));
    if (name == "DELEX" && upper(command.at(2)) == "IFEQ") return remove_if(key, command.at(3));
    entry* const e = find(key);
    // The score, in as many digits as it has, is all there is of a sorted set.
    if (name == "ZSCORE") return e ? value::text(e->content) : value::nil();
    if (name == "GET") return e ? value::text(e->content) : value::nil();
    if (name == "EXISTS") return value::integer(e != nullptr);
    if (name == "PTTL") return value::integer(!e ? -2 : e->expires ? *e->expires - now_ : -1);
    if (name == "PEXPIRE") {
        if (!e) return value::integer(0);
        expire_in(*e, std::stoll(command.at(2)));
        listener_.key_changed("expire", key);
        return value::integer(1);
    }
    return value::error("ERR unknown command '" + command[0] + "'");
}

value keyspace::set(const words& command) {
    bool only_new = false;
    bool returns_old = false;
    bool keeps_life = false;
    std::optional<std::int64_t> life;
    for (std::size_t i = 3; i < command.size(); ++i) {
        const std::string option = upper(command[i]);
        if (option == "PX")
            life = std::stoll(command.at(++i));
        else if (option == "NX")
            only_new = true;
        else if (option == "GET")
            returns_old = true;
        else if (option == "KEEPTTL")
            keeps_life = true;
        else
            return value::error("ERR syntax error");
    }
    entry* const present = find(command[1]);
    const value old = present ? value::text(present->content) : value::nil();
    if (present && only_new) return returns_old ? old : value::nil();
    entry& e = entries_[command[1]];
    e.content = command.at(2);
    if (!keeps_life) e.expires = {};
    if (life) expire_in(e, *life);
    listener_.key_changed("set", command[1]);
    return returns_old ? old : value::ok();
}

// One score of one member, as a fence has it.
value keyspace::add(const words& command) {
    const bool only_greater = upper(command.at(2)) == "GT";
    const bool counts_changes = only_greater && upper(command.at(3)) == "CH";
    const std::string& score = command.at(counts_changes ? 4 : only_greater ? 3 : 2);
    entry* const present = find(command[1]);
    const bool changes = !present || (only_greater ? std::stod(score) > std::stod(present->content)
                                                   : score != present->content);
    if (changes) {
        entries_[command[1]].content = score;
        listener_.key_changed("zadd", command[1]);
    }
    return value::integer(counts_changes ? changes : !present);
}

value keyspace::get_all(const words& command) {
    std::vector<value> all;
    for (std::size_t i = 1; i < command.size(); ++i) {
        const entry* const e = find(command[i]);
        all.push_back(e ? value::text(e->content) : value::nil());
    }
    return value::array(std::move(all));
}

value keyspace::remove_all(const words& command) {
    std::int64_t removed = 0;
    for (std::size_t i = 1; i < command.size(); ++i)
        removed += remove(command[i]).number;
    return value::integer(removed);
}

value keyspace::remove(const std::string& key) {
    if (!find(key)) return value::integer(0);
    entries_.erase(key);
    listener_.key_changed("del", key);
    return value::integer(1);
}

value keyspace::remove_if(const std::string& key, const std::string& expected) {
    const entry* const e = find(key);
    return e && e->content == expected ? remove(key) : value::integer(0);
}

std::optional<std::int64_t> keyspace::next_reaping() const noexcept {
    std::optional<std::int64_t> next;
    for (const auto& [key, e] : entries_)
        if (e.expires && (!next || e.reaped < *next)) next = e.reaped;
    return next;
}

void keyspace::reap() {
    words due;
    for (const auto& [key, e] : entries_)
        if (e.expires && e.reaped <= now_ && has_run_out(e)) due.push_back(key);
    for (const std::string& key : due)
        find(key);
}

} // namespace redlock::sim
