#pragma once

#include "engines/etcd/messages/reply.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::etcd::messages {

/// Asks for what happens to a key, or to keys from `key` to before `range_end`.
struct watch_create_request {
    std::string key{}; ///< not empty
    std::string range_end{};
    revision start = 0;    ///< the first that is told; 0 for whatever comes next
    bool progress = false; ///< empty answers now and then where nothing happens
    bool without_puts = false;
    bool without_deletions = false;
    bool tell_previous = false;
    std::int64_t watch_id = 0; ///< 0 lets the server choose
    bool fragments = false;    ///< an answer that is too long comes in several
};
struct watch_cancel_request {
    std::int64_t watch_id = 0;
};
/// Asks for an empty answer on every watch of the stream, with the revision up to which all was told.
struct watch_progress_request {};

struct watch_event {
    enum class kind : std::uint8_t { put = 0, deletion = 1 };

    kind what = kind::put;
    key_value now{}; ///< of a deletion only the key, and `modified`, when it happened
    std::optional<key_value> previous{};

    bool operator==(const watch_event&) const = default;
};
struct watch_result {
    std::int64_t watch_id = 0;
    bool created = false;
    bool cancelled = false;
    revision compacted = 0; ///< what was to be told from before is gone; 0 where it is not
    std::string reason{};   ///< of a cancellation; printable
    bool fragment = false;  ///< more of it follows
    std::vector<watch_event> events{};

    bool operator==(const watch_result&) const = default;
};

/// As of other requests and replies (`ranges.hpp`).
void append(std::string& to, const watch_create_request& m);
void append(std::string& to, const watch_cancel_request& m);
void append(std::string& to, const watch_progress_request& m);

fault read(std::string_view bytes, reply<watch_result>& into);

} // namespace redlock::etcd::messages
