#pragma once

#include "engines/zookeeper/wire/jute_writer.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::zookeeper {

/// What a request is called on the wire.
enum class operation_code : std::int32_t {
    create = 1,
    remove = 2,
    exists = 3,
    get_data = 4,
    set_data = 5,
    sync = 9,
    ping = 11,
    get_children = 12, ///< with the state of the node: getChildren2
    check = 13,
    multi = 14,
    create_told = 15, ///< with the state of the new node: create2
    log_in = 100,
    close = -11
};

/// The body of a request: all but its length and number.
struct request_body {
    operation_code what;
    std::string bytes;
};

enum class life_of_node : std::int32_t { persistent = 0, ephemeral = 1, ephemeral_in_sequence = 3 };

/// Who may use a node: everybody, or whoever logs in as its maker has.
enum class access : std::uint8_t { everybody, maker };

inline constexpr std::int32_t any_version = -1;

request_body create(std::string_view path, std::string_view data, life_of_node life, access who);
request_body exists(std::string_view path, bool watches);
request_body get_data(std::string_view path, bool watches);
request_body get_children(std::string_view path);
/// What is asked behind it on this connection sees whatever was done before it anywhere.
request_body sync(std::string_view path);
request_body log_in(std::string_view user_and_password);
request_body ping();
request_body close_session();

/// Several writes as one transaction, all of which are done, or none.
class multi {
public:
    multi& create(std::string_view path, std::string_view data, life_of_node life, access who);
    multi& set_data(std::string_view path, std::string_view data, std::int32_t version);
    multi& remove(std::string_view path, std::int32_t version = any_version);
    /// That there is such a node, and of that version.
    multi& check(std::string_view path, std::int32_t version = any_version);

    std::size_t size() const noexcept { return size_; }
    std::size_t bytes() const noexcept { return all_.bytes().size(); }
    request_body finish();

private:
    void begin(operation_code what);

    jute_writer all_;
    std::size_t size_ = 0;
};

/// One transaction of several, one behind the other.
request_body join(const std::vector<const request_body*>& multis);

/// The first packet of a connection, with its length.
struct session_wish {
    std::int64_t last_seen = 0; ///< number of the newest transaction that was seen
    std::int32_t timeout = 0;   ///< in milliseconds
    std::int64_t session = 0;   ///< 0: a new one
    std::string password{};
};
std::string connect_packet(const session_wish& w);

/// A request as it is sent: length, number, operation, body.
void append_packet(std::string& to, std::int32_t number, const request_body& body);

} // namespace redlock::zookeeper
