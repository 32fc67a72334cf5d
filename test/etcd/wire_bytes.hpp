#pragma once

#include "engines/etcd/messages/cluster.hpp"
#include "engines/etcd/messages/leases.hpp"
#include "engines/etcd/messages/transaction.hpp"
#include "engines/etcd/messages/watches.hpp"

#include <charconv>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace redlock::etcd::messages {

/// Bytes as hexadecimal digits, with blanks where they help; what stands in single quotes is meant as it is.
inline std::string wire(std::string_view written) {
    std::string bytes;
    while (!written.empty()) {
        std::size_t used = 1;
        if (written.front() == '\'') {
            used = written.find('\'', 1) + 1;
            bytes += written.substr(1, used - 2);
        } else if (written.front() != ' ') {
            used = 2;
            unsigned value = 0;
            const auto [end, error] = std::from_chars(written.data(), written.data() + 2, value, 16);
            if (error != std::errc() || end != written.data() + 2)
                throw std::invalid_argument("no bytes: " + std::string(written));
            bytes += static_cast<char>(value);
        }
        written.remove_prefix(used);
    }
    return bytes;
}

template <class Request>
std::string encoded(const Request& m) {
    std::string bytes;
    append(bytes, m);
    return bytes;
}

/// A message that has no fault in it.
template <class Content>
reply<Content> understood(std::string_view bytes) {
    reply<Content> found;
    const fault f = read(bytes, found);
    if (f != fault::none) throw std::invalid_argument(std::string(describe(f)));
    return found;
}

/// Cluster 1, member 2, revision 300, term 4.
inline const std::string header = wire("0a 09 08 01 10 02 18 ac 02 20 04");

/// `see(Content{}, bytes)` of one reply of each kind, with every field in it.
template <class See>
void for_each_reply(See see) {
    // created 5, modified 6, version 1, value "me", lease 7
    const std::string kv = "'k' 10 05 18 06 20 01 2a 02 'me' 30 07";
    see(range_result{}, header + wire("12 0f 0a 01 " + kv + " 18 01 20 02"));
    see(put_result{}, header + wire("12 0f 0a 01 " + kv));
    see(delete_result{}, header + wire("10 01 1a 0f 0a 01 " + kv));
    see(transaction_result{}, header + wire("10 01 1a 13 0a 11 12 0f 0a 01 " + kv +
                                            " 1a 02 12 00 1a 04 1a 02 10 03 "
                                            "1a 08 22 06 1a 04 1a 02 10 09"));
    see(lease_grant_result{}, header + wire("10 07 18 0a 22 02 'no'"));
    see(lease_revoke_result{}, header);
    see(lease_keep_alive_result{}, header + wire("10 07 18 0a"));
    see(lease_time_to_live_result{}, header + wire("10 07 18 09 20 0a 2a 01 'a' 2a 01 'b'"));
    see(watch_result{},
        header + wire("10 01 18 01 20 01 28 05 32 02 'no' 38 01 5a 17 08 01 12 05 0a 01 'k' 18 08 1a 0c "
                      "0a 01 'k' 10 05 18 06 20 01 2a 01 'x'"));
    see(authenticate_result{}, header + wire("12 03 'a.1'"));
    see(status_result{},
        header + wire("12 06 '3.4.23' 18 80 01 20 05 28 06 30 04 38 06 42 01 'e' 48 40 50 01 60 7f"));
    see(member_list_result{}, header + wire("12 14 08 02 12 01 'n' 1a 03 'p:1' 22 03 'c:1' 22 01 'd' 28 01"));
}

} // namespace redlock::etcd::messages
