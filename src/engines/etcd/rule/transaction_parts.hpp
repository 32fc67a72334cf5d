#pragma once

#include "core/election/leader_record.hpp"
#include "engines/etcd/rule/transactions.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// What transactions are made of, and how answers to them are read.
namespace redlock::etcd::parts {

using messages::comparison;
using messages::key_value;
using messages::operation;
using messages::operation_result;
using messages::range_request;
using messages::range_result;
using messages::reply;
using messages::transaction_request;
using messages::transaction_result;

inline std::string text_of(const transaction_request& m) {
    std::string text;
    append(text, m);
    return text;
}

inline comparison is_there(const stand& s) {
    return {.key = s.key, .what = comparison::target::created, .number = s.created};
}

inline operation look_at(const std::string& key) { return {range_request{.key = key, .keys_only = true}}; }

inline operation erase(const std::string& key) { return {messages::delete_request{.key = key}}; }

/// Something is proclaimed behind the first of these texts, and before the second.
inline std::vector<comparison> proclaimed_between(const std::string& key, std::string first,
                                                  std::string second) {
    return {{.key = key,
             .what = comparison::target::value,
             .how = comparison::relation::greater,
             .value = std::move(first)},
            {.key = key,
             .what = comparison::target::value,
             .how = comparison::relation::less,
             .value = std::move(second)}};
}

/// What was proclaimed in that term goes; that of whoever came behind it stays.
inline operation forget_leader(const std::string& key, std::uint64_t term) {
    transaction_request m{
        .when = proclaimed_between(key, core::before_records_of(term), core::behind_records_of(term)),
        .then = {erase(key)}};
    return {std::move(m)};
}

/// What was proclaimed before gives way, that of an earlier term, too: whoever holds the lock leads alone.
inline transaction_request state_record(const stand& s, messages::lease_id lease) {
    return {.when = proclaimed_between(s.leader, core::before_version_of(s.record),
                                       core::behind_records_of(core::term_of_record(s.record))),
            .otherwise = {{messages::put_request{.key = s.leader, .value = s.record, .lease = lease}}}};
}

inline const key_value* first_of(const transaction_result& t, std::size_t part) {
    if (part >= t.results.size()) return nullptr;
    const auto* const range = std::get_if<range_result>(&t.results[part].what);
    return range && !range->found.empty() ? &range->found.front() : nullptr;
}

} // namespace redlock::etcd::parts
