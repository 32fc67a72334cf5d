#include "engines/etcd/rule/key_names.hpp"
#include "engines/etcd/rule/transaction_parts.hpp"

#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>
#include <variant>

namespace redlock::etcd {

using namespace parts;

namespace {

constexpr verdict unreadable{.what = verdict::kind::unknown, .why = errc::protocol_error};

comparison is_unwritten(const stand& s) {
    return {.key = s.key, .what = comparison::target::modified, .number = s.modified};
}

/// Behind the keys of those who may be in its way.
std::string end_of_others(const stand& s) { return s.reads ? key_names::behind_writers(s.queue) : s.behind; }

comparison nobody_between(const std::string& from, const std::string& behind) {
    return {.key = from, .range_end = behind};
}

/// There are others, and each came later, or it is the own key.
comparison nobody_came_before(const stand& s) {
    return {.key = s.queue,
            .what = comparison::target::created,
            .how = comparison::relation::greater,
            .number = s.created - 1,
            .range_end = end_of_others(s)};
}

/// Who came last, or last before that revision.
operation look_for_last(const stand& s, messages::revision before) {
    return {range_request{.key = s.queue,
                          .range_end = end_of_others(s),
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

operation look_for_downgraded(const stand& s) {
    std::string first = key_names::downgraded(s.queue);
    std::string behind = key_names::behind(first);
    return {range_request{
        .key = std::move(first), .range_end = std::move(behind), .limit = 1, .keys_only = true}};
}

stand_answer behind(const key_value& other) {
    return {.said = {.what = verdict::kind::behind, .predecessor = other.created}, .predecessor = other.key};
}

} // namespace

// Whether nobody is there is asked in a transaction of its own within the one that looks for the grave: where
// there is one, nothing at all is to be written.
std::string acquire_request(const stand& s, const std::string& value, messages::lease_id lease, bool waits) {
    transaction_request inner{.when = {nobody_between(s.queue, end_of_others(s))},
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

// Those who write always find a key among all: their own. Those who read may find none of somebody who
// writes, of which no comparison says that each came later: hence two transactions, the second where there
// are some.
std::string confirm_request(const stand& s, bool writes) {
    transaction_request m{.when = {is_there(s), nobody_came_before(s)},
                          .otherwise = {look_at(s.key), look_for_last(s, s.created)}};
    if (!s.reads) {
        const std::string downgraded = key_names::downgraded(s.queue);
        m.when.push_back(nobody_between(downgraded, key_names::behind(downgraded)));
        m.otherwise.push_back(look_for_downgraded(s));
    }
    if (writes) {
        m.when.push_back(is_unwritten(s));
        m.then.push_back(touch(s));
    }
    if (!s.reads) return text_of(m);
    transaction_request outer{.when = {is_there(s), nobody_between(s.queue, end_of_others(s))},
                              .then = m.then};
    if (writes) outer.when.push_back(is_unwritten(s));
    outer.otherwise.push_back({std::move(m)});
    return text_of(outer);
}

stand_answer read_confirmed(std::string_view response, const stand& s, bool writes) {
    reply<transaction_result> read;
    if (messages::read(response, read) != messages::fault::none) return {.said = unreadable};
    stand_answer found{.said = {.what = verdict::kind::first},
                       .created = s.created,
                       .modified = s.modified,
                       .revision = read.header.revision};
    const transaction_result* last = &read.content;
    if (s.reads && !last->succeeded) {
        last = last->results.size() == 1 ? std::get_if<transaction_result>(&last->results.front().what)
                                         : nullptr;
        if (!last) return {.said = unreadable};
    }
    if (last->succeeded) {
        if (writes) found.modified = read.header.revision;
        return found;
    }
    const key_value* const own = first_of(*last, 0);
    if (!own || own->created != s.created) {
        found.said.what = verdict::kind::displaced;
        return found;
    }
    found.modified = own->modified;
    const key_value* const before = first_of(*last, 1);
    if (const key_value* const other = before || s.reads ? before : first_of(*last, 2)) {
        const stand_answer waits = behind(*other);
        found.said = waits.said;
        found.predecessor = waits.predecessor;
    } else if (!writes || own->modified == s.modified) {
        return {.said = unreadable};
    }
    return found;
}

std::uint64_t shown_token(std::string_view value) {
    const std::size_t end = value.find(':');
    if (end == 0 || end == value.npos) return 0;
    std::uint64_t token = 0;
    const auto [behind, error] = std::from_chars(value.data(), value.data() + end, token);
    return error == std::errc() && behind == value.data() + end ? token : 0;
}

namespace {

/// Two requests for that are carried out in some order: the second of them then does nothing, and says so.
std::string rewrite(const stand& s, const operation& writing) {
    transaction_request m{.when = {is_there(s), is_unwritten(s)},
                          .then = {writing},
                          .otherwise = {{range_request{.key = s.key}}}};
    return text_of(m);
}

} // namespace

std::string advance_request(const stand& s) { return rewrite(s, touch(s)); }

std::string advance_request(const stand& s, const std::string& value) {
    return rewrite(s, {messages::put_request{.key = s.key, .value = value, .keep_lease = true}});
}

std::string move_request(const stand& s, const std::string& value, messages::lease_id lease) {
    transaction_request m{.when = {is_there(s), is_unwritten(s)},
                          .then = {put(s, value, lease)},
                          .otherwise = {{range_request{.key = s.key}}}};
    if (!s.leader.empty()) {
        transaction_request beside = state_record(s, lease);
        beside.then = {{messages::put_request{.key = s.leader, .lease = lease, .keep_value = true}}};
        m.then.push_back({std::move(beside)});
    }
    return text_of(m);
}

rewritten read_rewritten(std::string_view response, const stand& s) {
    using kind = rewritten::kind;
    reply<transaction_result> read;
    if (messages::read(response, read) != messages::fault::none) return {};
    if (read.content.succeeded) return {.what = kind::carried_out, .revision = read.header.revision};
    const key_value* const own = first_of(read.content, 0);
    if (!own || own->created != s.created) return {.what = kind::key_was_gone};
    return {.what = kind::written_since, .revision = own->modified, .shown_token = shown_token(own->value)};
}

std::string look_request(const stand& s) {
    return text_of({.when = {is_there(s)}, .otherwise = {look_at(s.key)}});
}

std::optional<bool> read_looked(std::string_view response, const stand& s) {
    reply<transaction_result> read;
    if (messages::read(response, read) != messages::fault::none) return std::nullopt;
    if (read.content.succeeded) return true;
    const key_value* const own = first_of(read.content, 0);
    return own && own->created == s.created;
}

std::string erase_request(const stand& s) {
    std::string text;
    append(text, messages::delete_request{.key = s.key});
    return text;
}

done read_erased(std::string_view response) {
    reply<messages::delete_result> read;
    if (messages::read(response, read) != messages::fault::none) return {};
    return {.what = read.content.deleted > 0 ? done::kind::carried_out : done::kind::key_was_gone,
            .revision = read.header.revision};
}

std::string remove_request(const stand& s) {
    transaction_request m{.when = {is_there(s)}, .then = {erase(s.key)}};
    if (!s.leader.empty()) {
        m.otherwise = {forget_leader(s.leader, core::term_of_record(s.record))};
        m.then.push_back(m.otherwise.front());
    }
    return text_of(m);
}

std::string bury_request(const stand& s, messages::lease_id lease) {
    return text_of({.then = {erase(s.key), {messages::put_request{.key = s.grave, .lease = lease}}}});
}

std::string downgrade_request(const stand& held, const stand& reading, const std::string& value,
                              messages::lease_id lease) {
    return text_of({.when = {{.key = reading.grave}, is_there(held)}, .then = {put(reading, value, lease)}});
}

done read_done(std::string_view response) {
    reply<transaction_result> read;
    if (messages::read(response, read) != messages::fault::none) return {};
    return {.what = read.content.succeeded ? done::kind::carried_out : done::kind::key_was_gone,
            .revision = read.header.revision};
}

} // namespace redlock::etcd
