#include "engines/etcd/rule/transactions.hpp"

#include <utility>
#include <variant>

namespace redlock::etcd {

namespace {

using messages::comparison;
using messages::key_value;
using messages::operation;
using messages::operation_result;
using messages::range_request;
using messages::range_result;
using messages::reply;
using messages::transaction_request;
using messages::transaction_result;

constexpr verdict unreadable{.what = verdict::kind::unknown, .why = errc::protocol_error};

std::string text_of(const transaction_request& m) {
    std::string text;
    append(text, m);
    return text;
}

comparison is_there(const stand& s) {
    return {.key = s.key, .what = comparison::target::created, .number = s.created};
}

comparison is_unwritten(const stand& s) {
    return {.key = s.key, .what = comparison::target::modified, .number = s.modified};
}

operation look_at(const std::string& key) { return {range_request{.key = key, .keys_only = true}}; }

/// Who came last, or last before that revision.
operation look_for_last(const stand& s, messages::revision before) {
    return {range_request{.key = s.queue,
                          .range_end = s.behind,
                          .limit = 1,
                          .sorted = range_request::order::descending,
                          .by = range_request::target::created,
                          .keys_only = true,
                          .most_created = before == 0 ? 0 : before - 1}};
}

/// As it is, for the sake of the revision.
operation touch(const stand& s) {
    return {messages::put_request{.key = s.key, .keep_value = true, .keep_lease = true}};
}

operation put(const stand& s, const std::string& value, messages::lease_id lease) {
    return {messages::put_request{.key = s.key, .value = value, .lease = lease}};
}

operation erase(const std::string& key) { return {messages::delete_request{.key = key}}; }

const key_value* first_of(const transaction_result& t, std::size_t part) {
    if (part >= t.results.size()) return nullptr;
    const auto* const range = std::get_if<range_result>(&t.results[part].what);
    return range && !range->found.empty() ? &range->found.front() : nullptr;
}

stand_answer behind(const key_value& other) {
    return {.said = {.what = verdict::kind::behind, .predecessor = other.created}, .predecessor = other.key};
}

} // namespace

// Whether nobody is there is asked in a transaction of its own within the one that looks for the grave: where
// there is one, nothing at all is to be written.
std::string acquire_request(const stand& s, const std::string& value, messages::lease_id lease, bool waits) {
    transaction_request inner{.when = {{.key = s.queue, .range_end = s.behind}},
                              .then = {put(s, value, lease)}};
    if (waits) inner.otherwise = {look_for_last(s, 0), put(s, value, lease)};
    return text_of({.when = {{.key = s.grave}}, .then = {{std::move(inner)}}});
}

// The revision is that of the outermost header: those of the parts are older.
stand_answer read_acquired(std::string_view response) {
    reply<transaction_result> read;
    if (messages::read(response, read) != messages::fault::none) return {.said = unreadable};
    const auto& outer = read.content;
    const auto* const inner =
        outer.results.size() == 1 ? std::get_if<transaction_result>(&outer.results.front().what) : nullptr;
    if (!outer.succeeded || !inner) return {.said = {.what = verdict::kind::displaced}};
    stand_answer found;
    if (inner->succeeded)
        found.said.what = verdict::kind::first;
    else if (inner->results.empty())
        found.said.what = verdict::kind::held;
    else if (const key_value* const last = first_of(*inner, 0))
        found = behind(*last);
    else
        return {.said = unreadable};
    found.created = found.modified = found.revision = read.header.revision;
    return found;
}

std::string confirm_request(const stand& s, bool writes) {
    transaction_request m{.when = {is_there(s),
                                   {.key = s.queue,
                                    .what = comparison::target::created,
                                    .how = comparison::relation::greater,
                                    .number = s.created - 1,
                                    .range_end = s.behind}},
                          .otherwise = {look_at(s.key), look_for_last(s, s.created)}};
    if (writes) {
        m.when.push_back(is_unwritten(s));
        m.then.push_back(touch(s));
    }
    return text_of(m);
}

stand_answer read_confirmed(std::string_view response, const stand& s, bool writes) {
    reply<transaction_result> read;
    if (messages::read(response, read) != messages::fault::none) return {.said = unreadable};
    stand_answer found{.said = {.what = verdict::kind::first},
                       .created = s.created,
                       .modified = s.modified,
                       .revision = read.header.revision};
    if (read.content.succeeded) {
        if (writes) found.modified = read.header.revision;
        return found;
    }
    const key_value* const own = first_of(read.content, 0);
    if (!own || own->created != s.created) {
        found.said.what = verdict::kind::displaced;
        return found;
    }
    found.modified = own->modified;
    if (const key_value* const other = first_of(read.content, 1)) {
        const stand_answer waits = behind(*other);
        found.said = waits.said;
        found.predecessor = waits.predecessor;
    } else if (!writes || own->modified == s.modified) {
        return {.said = unreadable};
    }
    return found;
}

std::string advance_request(const stand& s) {
    return text_of(
        {.when = {is_there(s), is_unwritten(s)}, .then = {touch(s)}, .otherwise = {look_at(s.key)}});
}

std::string advance_request(const stand& s, const std::string& value, messages::lease_id lease) {
    return text_of({.when = {is_there(s), is_unwritten(s)},
                    .then = {put(s, value, lease)},
                    .otherwise = {look_at(s.key)}});
}

std::optional<messages::revision> read_advanced(std::string_view response, const stand& s) {
    reply<transaction_result> read;
    if (messages::read(response, read) != messages::fault::none) return std::nullopt;
    if (read.content.succeeded) return read.header.revision;
    const key_value* const own = first_of(read.content, 0);
    return own && own->created == s.created ? own->modified : 0;
}

std::string look_request(const stand& s) {
    return text_of({.when = {is_there(s)}, .otherwise = {look_at(s.key)}});
}

std::string move_request(const stand& s, const std::string& value, messages::lease_id lease) {
    return text_of({.when = {is_there(s)}, .then = {put(s, value, lease)}});
}

std::string remove_request(const stand& s) {
    return text_of({.when = {is_there(s)}, .then = {erase(s.key)}});
}

std::string bury_request(const stand& s, messages::lease_id lease) {
    return text_of({.then = {erase(s.key), {messages::put_request{.key = s.grave, .lease = lease}}}});
}

std::string take_away_request(const std::string& key) {
    return text_of({.when = {{.key = key, .how = comparison::relation::greater}}, .then = {erase(key)}});
}

done read_done(std::string_view response) {
    reply<transaction_result> read;
    if (messages::read(response, read) != messages::fault::none) return {};
    return {.what = read.content.succeeded ? done::kind::carried_out : done::kind::key_was_gone,
            .revision = read.header.revision};
}

} // namespace redlock::etcd
