#pragma once

#include "engines/redis/node/node.hpp"
#include "engines/redis/resp/reader.hpp"
#include "engines/redis/resp/reply.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::test {

/// What became of one request.
struct request_outcome {
    std::uint32_t tag = 0; ///< its number
    errc failure{};        ///< 0 when there was a reply
    std::string reply;     ///< its text, or its integer in digits

    bool operator==(const request_outcome&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const request_outcome& o) {
    return out << "request " << o.tag << ": " << static_cast<int>(o.failure) << " \"" << o.reply << '"';
}

/// Remembers what became of the requests it is the receiver of, in order.
struct recorder final : node::reply_receiver {
    std::vector<request_outcome> outcomes;
    std::function<void()> then; ///< called after each outcome, when it is not empty

    void on_reply(node::reply_tag tag, const resp::reply& reply) noexcept override {
        const bool number = reply.is(resp::kind::integer);
        outcomes.push_back(
            {tag.number(), errc{}, number ? std::to_string(reply.integer()) : std::string(reply.text())});
        if (then) then();
    }
    void on_failure(node::reply_tag tag, errc why) noexcept override {
        outcomes.push_back({tag.number(), why, ""});
        if (then) then();
    }

    std::size_t count() const noexcept { return outcomes.size(); }
    auto count(errc why) const noexcept {
        return std::count_if(outcomes.begin(), outcomes.end(),
                             [&](const auto& o) { return o.failure == why; });
    }
};

/// A reply that was read from `bytes`, and what it points into.
class parsed_reply {
public:
    explicit parsed_reply(std::string_view bytes) {
        const auto space = reader_.prepare();
        if (bytes.size() > space.size()) throw std::length_error("too long for a reply of a test");
        std::copy(bytes.begin(), bytes.end(), space.begin());
        reader_.commit(bytes.size());
        if (reader_.next(reply_) != resp::read_status::complete) throw std::invalid_argument("no RESP");
    }

    const resp::reply& operator*() const noexcept { return reply_; }

private:
    resp::reader reader_;
    resp::reply reply_;
};

/// An instant of a virtual clock.
inline time::instant at(std::chrono::milliseconds since_the_start) { return time::instant(since_the_start); }

} // namespace redlock::test
