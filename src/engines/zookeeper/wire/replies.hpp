#pragma once

#include "engines/zookeeper/wire/requests.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::zookeeper {

/// What a server says of a request that failed; 0 of one that did not.
enum class fault : std::int32_t {
    none = 0,
    undone = -2, ///< of an operation of a multi that another one spoiled
    malformed = -5,
    timed_out = -7,
    no_node = -101,
    forbidden = -102,
    bad_version = -103,
    node_exists = -110,
    not_empty = -111,
    session_expired = -112,
    login_failed = -115,
    session_moved = -118,
    takes_no_writes = -119
};

/// What stands before the body of every packet from a server.
struct reply_head {
    std::int32_t number = 0; ///< of the request
    std::int64_t transaction = 0;
    fault failed = fault::none;
};

inline constexpr std::int32_t watch_number = -1; ///< of a packet that nobody asked for
inline constexpr std::int32_t ping_number = -2;
inline constexpr std::int32_t login_number = -4;

/// What is known of a node beside its data.
struct node_state {
    std::int64_t created = 0;  ///< number of that transaction
    std::int64_t modified = 0; ///< likewise, of the data
    std::int32_t version = 0;  ///< of the data
    std::int64_t owner = 0;    ///< the session of an ephemeral node
    std::int32_t size = 0;     ///< of the data
};

struct session_grant {
    std::int32_t timeout = 0;
    std::int64_t session = 0;
    std::string password{};
    bool only_reads = false;
};

struct data_reply {
    std::string data;
    node_state state;
};
struct children_reply {
    std::vector<std::string> names;
    node_state state;
};
/// Of one operation in a multi.
struct operation_result {
    fault failed = fault::none;
    std::string path{};                ///< of a node that was made
    std::optional<node_state> state{}; ///< of one that was made or written
};
/// Of some operations in a multi, as if they had been one alone.
struct part_of_multi {
    std::string body;
    fault failed = fault::none; ///< the first of theirs that says more than `undone`, or that
};
struct watch_event {
    std::string path;
    std::int32_t session_state = 0;
};

// Nothing where the bytes are not of that form.
std::optional<session_grant> read_session_grant(std::string_view bytes);
/// `body` is what stands behind.
std::optional<reply_head> read_head(std::string_view bytes, std::string_view& body);
std::optional<node_state> read_state(std::string_view body);
std::optional<data_reply> read_data(std::string_view body);
std::optional<children_reply> read_children(std::string_view body);
std::optional<std::string> read_created_path(std::string_view body);
std::optional<std::vector<operation_result>> read_multi(std::string_view body);
/// So many operations belong to each part, which are all that there are.
std::optional<std::vector<part_of_multi>> split_multi(std::string_view body,
                                                      const std::vector<std::size_t>& sizes);
std::optional<watch_event> read_watch_event(std::string_view body);

} // namespace redlock::zookeeper
