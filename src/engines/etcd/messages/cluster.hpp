#pragma once

#include "engines/etcd/messages/reply.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::etcd::messages {

struct authenticate_request {
    std::string user{};
    std::string password{};
};
struct authenticate_result {
    std::string token{}; ///< printable ASCII, to `longest_token` bytes: it goes into a header of each
                         ///< request. A secret

    bool operator==(const authenticate_result&) const = default;
};

/// Of the member that is asked.
struct status_request {};
struct status_result {
    std::string version{}; ///< printable: 3.5.16
    std::int64_t size = 0; ///< bytes of the database as it is on the disk
    std::int64_t size_in_use = 0;
    std::int64_t size_limit = 0; ///< 0 where the server does not tell, before 3.6
    std::uint64_t leader = 0;    ///< 0 where it knows none
    std::uint64_t raft_index = 0;
    std::uint64_t raft_applied = 0;
    std::uint64_t raft_term = 0;
    bool is_learner = false;
    std::vector<std::string> errors{}; ///< printable; what is wrong with it, such as an alarm

    bool operator==(const status_result&) const = default;
};

struct member_list_request {
    bool linearizable = true; ///< before 3.5 always
};
struct member {
    std::uint64_t id = 0;
    std::string name{};                 ///< printable; empty until it was started once
    std::vector<std::string> peers{};   ///< URLs, printable
    std::vector<std::string> clients{}; ///< likewise
    bool is_learner = false;

    bool operator==(const member&) const = default;
};
struct member_list_result {
    std::vector<member> members{};

    bool operator==(const member_list_result&) const = default;
};

/// As of other requests and replies (`ranges.hpp`).
void append(std::string& to, const authenticate_request& m);
void append(std::string& to, const status_request& m);
void append(std::string& to, const member_list_request& m);

fault read(std::string_view bytes, reply<authenticate_result>& into);
fault read(std::string_view bytes, reply<status_result>& into);
fault read(std::string_view bytes, reply<member_list_result>& into);

} // namespace redlock::etcd::messages
