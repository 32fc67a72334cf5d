#pragma once

#include "engines/etcd/messages/reply.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::etcd::messages {

/// The first key behind all that begin with that. "\0", which etcd takes for the end of all keys, where there
/// is none.
std::string end_of(std::string_view prefix);

/// Keys from `key` to before `range_end`, or `key` alone where that is empty.
struct range_request {
    enum class order : std::uint8_t { none = 0, ascending = 1, descending = 2 };
    enum class target : std::uint8_t { key = 0, version = 1, created = 2, modified = 3, value = 4 };

    std::string key{}; ///< not empty
    std::string range_end{};
    std::int64_t limit = 0;    ///< 0 for none
    messages::revision at = 0; ///< an older state; 0 for the newest
    order sorted = order::none;
    target by = target::key;
    bool serializable = false; ///< what this member knows, which may be old
    bool keys_only = false;
    bool count_only = false;
    messages::revision most_created = 0; ///< only keys that were created up to then; 0 for all
};
struct range_result {
    std::vector<key_value> found{};
    bool more = false;
    std::int64_t count = 0; ///< of all in the range, without the limit

    bool operator==(const range_result&) const = default;
};

struct put_request {
    std::string key{}; ///< not empty
    std::string value{};
    lease_id lease = 0;
    bool tell_previous = false;
    bool keep_value = false; ///< of a key that exists; `value` is empty then
    bool keep_lease = false; ///< likewise
};
struct put_result {
    std::optional<key_value> previous{};

    bool operator==(const put_result&) const = default;
};

struct delete_request {
    std::string key{}; ///< not empty
    std::string range_end{};
    bool tell_previous = false;
};
struct delete_result {
    std::int64_t deleted = 0;
    std::vector<key_value> previous{};

    bool operator==(const delete_result&) const = default;
};

/// Adds the bytes of the message to those there are.
void append(std::string& to, const range_request& m);
void append(std::string& to, const put_request& m);
void append(std::string& to, const delete_request& m);

/// Reads a whole message. Sets `into` on `fault::none` alone. Throws nothing but std::bad_alloc.
fault read(std::string_view bytes, reply<range_result>& into);
fault read(std::string_view bytes, reply<put_result>& into);
fault read(std::string_view bytes, reply<delete_result>& into);

} // namespace redlock::etcd::messages
