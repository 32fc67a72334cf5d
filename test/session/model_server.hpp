#pragma once

#include "support/command_parser.hpp"

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

namespace redlock::test {

/// What a Redis server would answer on one connection. It keeps no data: `PTTL key` gives the number that the
/// key ends with, `ECHO` its argument, and every channel may be subscribed to. Does no I/O.
class model_server {
public:
    /// One that does not know `HELLO` speaks RESP2 from then on, and refuses subscriptions unless nothing but
    /// subscriptions comes.
    explicit model_server(bool resp3 = true, bool listens_only = false)
        : resp3_(resp3), listens_only_(listens_only) {}

    /// Takes what the client wrote.
    void feed(std::string_view bytes);
    /// How many commands wait for an answer.
    std::size_t waiting() const noexcept { return commands_.size(); }
    /// Answers the oldest of them; empty when there is none.
    std::string answer();

private:
    std::string told(std::string_view what, const std::string& channel) const;

    bool resp3_;
    bool listens_only_;
    command_parser parser_;
    std::deque<command_parser::command> commands_;
};

/// A simple string as a bulk string of RESP.
std::string bulk(std::string_view text);

} // namespace redlock::test
