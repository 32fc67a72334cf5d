#pragma once

#include "support/file_descriptor.hpp"

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::test {

enum class answer_kind { null, text, error, integer, array };

/// A value a Redis server answered with.
struct redis_answer {
    answer_kind kind = answer_kind::null;
    std::string text; ///< of a text or an error
    std::int64_t integer = 0;
    std::vector<redis_answer> elements;

    bool is_null() const noexcept { return kind == answer_kind::null; }
    bool is_error() const noexcept { return kind == answer_kind::error; }
    bool operator==(std::string_view expected) const noexcept {
        return kind == answer_kind::text && text == expected;
    }
    bool operator==(std::int64_t expected) const noexcept {
        return kind == answer_kind::integer && integer == expected;
    }
};

std::ostream& operator<<(std::ostream& out, const redis_answer& answer);

/// The RESP2 array of bulk strings that carries a command.
std::string encode_command(const std::vector<std::string>& arguments);

/// A blocking connection over a Unix socket with which a test looks at a server behind the library's back.
/// Every call throws `std::system_error` when the server is gone or lets the limit pass. Not thread-safe.
class redis_connection {
public:
    explicit redis_connection(const std::string& socket_path,
                              std::chrono::milliseconds limit = std::chrono::seconds(5));

    redis_answer command(const std::vector<std::string>& arguments);
    /// What the server says next unasked, such as a message of a channel that was subscribed to.
    redis_answer message() { return read_answer(); }

private:
    void send(std::string_view bytes);
    void receive();
    std::string read_line();
    std::string read_bytes(std::size_t size);
    redis_answer read_answer();

    file_descriptor socket_;
    std::string received_;
};

} // namespace redlock::test
