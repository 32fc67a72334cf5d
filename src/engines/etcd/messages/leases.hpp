#pragma once

#include "engines/etcd/messages/reply.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::etcd::messages {

struct lease_grant_request {
    std::chrono::seconds life{}; ///< 1 or more
    lease_id id = 0;             ///< 0 lets the server choose
};
struct lease_grant_result {
    lease_id id = 0;
    std::chrono::seconds life{}; ///< what it was given, 0 or more
    std::string error{};         ///< printable; empty where there is none

    bool operator==(const lease_grant_result&) const = default;
};

struct lease_revoke_request {
    lease_id id = 0;
};
struct lease_revoke_result {
    bool operator==(const lease_revoke_result&) const = default;
};

struct lease_keep_alive_request {
    lease_id id = 0;
};
struct lease_keep_alive_result {
    lease_id id = 0;
    std::chrono::seconds life{}; ///< from now on; 0 where there is no such lease any more

    bool operator==(const lease_keep_alive_result&) const = default;
};

struct lease_time_to_live_request {
    lease_id id = 0;
    bool with_keys = false;
};
struct lease_time_to_live_result {
    lease_id id = 0;
    std::chrono::seconds left{};    ///< -1 where there is no such lease
    std::chrono::seconds granted{}; ///< 0 or more
    std::vector<std::string> keys{};

    bool operator==(const lease_time_to_live_result&) const = default;
};

/// As of other requests and replies (`ranges.hpp`).
void append(std::string& to, const lease_grant_request& m);
void append(std::string& to, const lease_revoke_request& m);
void append(std::string& to, const lease_keep_alive_request& m);
void append(std::string& to, const lease_time_to_live_request& m);

fault read(std::string_view bytes, reply<lease_grant_result>& into);
fault read(std::string_view bytes, reply<lease_revoke_result>& into);
fault read(std::string_view bytes, reply<lease_keep_alive_result>& into);
fault read(std::string_view bytes, reply<lease_time_to_live_result>& into);

} // namespace redlock::etcd::messages
