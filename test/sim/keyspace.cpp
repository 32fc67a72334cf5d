#include "sim/keyspace.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace redlock::sim {

namespace {

value not_an_integer() { return value::error("ERR value is not an integer or out of range"); }
value wrong_type() {
    return value::error("WRONGTYPE Operation against a key holding the wrong kind of value");
}

} // namespace

value keyspace::text_or_nil(const entry* e) {
    return e && e->is_text() ? value::text(std::string(e->text())) : value::nil();
}

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
    // A time that a command names may be the last there is.
    const std::int64_t late = 1 + std::chrono::duration_cast<std::chrono::milliseconds>(lag).count();
    e.reaped = std::min(*e.expires, std::numeric_limits<std::int64_t>::max() - late) + late;
}

value keyspace::call(const words& command) {
    const std::string name = upper(command.at(0));
    switch (arity_of(name, command.size())) {
    case arity::unknown:
        return value::error("ERR unknown command '" + command[0] + "'");
    case arity::wrong:
        return value::error("ERR wrong number of arguments for '" + command[0] + "' command");
    case arity::fits:
        break;
    }
    if (name.front() == 'Z') return call_on<sorted_set>(name, command);
    if (name.front() == 'H') return call_on<hash>(name, command);
    if (name == "SET") return set(command);
    if (name == "DEL") return remove_all(command);
    if (name == "MGET") return get_all(command);
    if (name == "EXISTS") return count(command);
    if (name == "PEXPIRE") return expire(command, now_);
    if (name == "PEXPIREAT") return expire(command, 0);
    if (name == "DELIFEQ" || name == "DELEX") return remove_if_equal(name, command);
    const entry* const e = find(command.at(1));
    if (name == "GET") return e && !e->is_text() ? wrong_type() : text_or_nil(e);
    if (name == "PTTL") return value::integer(!e ? -2 : e->expires ? *e->expires - now_ : -1);
    return value::error("ERR unknown command '" + command[0] + "'");
}

template <class Collection>
value keyspace::call_on(std::string_view name, const words& command) {
    const std::string& key = command[1];
    entry* const present = find(key);
    const bool fits = !present || std::holds_alternative<Collection>(present->content);
    Collection fresh;
    Collection& members = present && fits ? std::get<Collection>(present->content) : fresh;
    effect o = members.call(name, command);
    // What is wrong with the command itself comes first.
    if (!fits && o.reply.is != value::kind::error) return wrong_type();
    if (o.event.empty()) return std::move(o.reply);
    const bool is_gone = members.empty();
    if (is_gone)
        entries_.erase(key);
    else if (!present)
        entries_[key].content = std::move(fresh);
    listener_.key_changed(o.event, key);
    if (is_gone) listener_.key_changed("del", key);
    return std::move(o.reply);
}

value keyspace::set(const words& command) {
    bool only_new = false;
    bool returns_old = false;
    bool keeps_life = false;
    std::optional<std::int64_t> life;
    for (std::size_t i = 3; i < command.size(); ++i) {
        const std::string option = upper(command[i]);
        if (option == "PX" && i + 1 < command.size() && !life) {
            life = integer_in(command[++i]);
            if (!life) return not_an_integer();
            if (*life <= 0) return value::error("ERR invalid expire time in 'set' command");
        } else if (option == "NX")
            only_new = true;
        else if (option == "GET")
            returns_old = true;
        else if (option == "KEEPTTL")
            keeps_life = true;
        else
            return value::error("ERR syntax error");
    }
    if (life && keeps_life) return value::error("ERR syntax error");
    entry* const present = find(command[1]);
    if (returns_old && present && !present->is_text()) return wrong_type();
    const value old = text_or_nil(present);
    if (present && only_new) return returns_old ? old : value::nil();
    entry& e = entries_[command[1]];
    e.content = command[2];
    if (!keeps_life) e.expires = {};
    if (life) expire_in(e, *life);
    listener_.key_changed("set", command[1]);
    if (life) listener_.life_changed(command[1]);
    return returns_old ? old : value::ok();
}

value keyspace::expire(const words& command, std::int64_t since) {
    const auto given = integer_in(command[2]);
    if (!given) return not_an_integer();
    if (*given > std::numeric_limits<std::int64_t>::max() - since)
        return value::error("ERR invalid expire time in 'pexpire' command");
    entry* const e = find(command[1]);
    if (!e) return value::integer(0);
    const std::int64_t end = since + *given;
    if (end <= now_) return remove(command[1]);
    expire_in(*e, end - now_);
    listener_.key_changed("expire", command[1]);
    return value::integer(1);
}

value keyspace::count(const words& command) {
    return value::integer(std::count_if(command.begin() + 1, command.end(),
                                        [this](const std::string& key) { return find(key) != nullptr; }));
}

value keyspace::get_all(const words& command) {
    std::vector<value> all;
    for (std::size_t i = 1; i < command.size(); ++i)
        all.push_back(text_or_nil(find(command[i])));
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

// DELIFEQ key text, or DELEX key IFEQ text.
value keyspace::remove_if_equal(std::string_view name, const words& command) {
    const bool is_delex = name == "DELEX";
    if (is_delex && (command.size() != 4 || upper(command[2]) != "IFEQ"))
        return value::error("ERR syntax error");
    const entry* const e = find(command[1]);
    if (e && !e->is_text())
        return is_delex ? value::error("ERR Key should be of string type if conditions are specified")
                        : wrong_type();
    return e && e->text() == command.back() ? remove(command[1]) : value::integer(0);
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
