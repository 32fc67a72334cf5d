#pragma once

#include "core/random.hpp"
#include "engines/redis/node/node.hpp"
#include "engines/redis/resp/reader.hpp"
#include "support/engine_on_given_nodes.hpp"
#include "turn/turns.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::test {

using namespace std::chrono_literals;

/// A node whose answers the test gives, one request after the other.
class scripted_node final : public node::node {
public:
    explicit scripted_node(unsigned index);

    redlock::errc submit(const redlock::node::request& r) noexcept override;
    void flush() noexcept override {}
    redlock::node::health state() const noexcept override { return health; }
    const redlock::node::server_info& server() const noexcept override { return info; }
    redlock::node::status report() const override {
        redlock::node::status s;
        s.state = health;
        return s;
    }
    std::chrono::nanoseconds round_trip() const noexcept override { return trip; }
    std::chrono::nanoseconds usual_round_trip() const noexcept override { return trip; }
    std::chrono::nanoseconds least_round_trip() const noexcept override { return least; }
    std::string_view name() const noexcept override { return name_; }

    /// The oldest request that was not answered yet.
    std::string_view asked() const {
        return requests.empty() ? "" : std::string_view(requests.front().command);
    }
    void answer(std::string_view reply);
    void fail(errc why);

    redlock::node::health health = redlock::node::health::ready;
    redlock::node::server_info info;
    std::chrono::nanoseconds trip = 1ms;
    std::chrono::nanoseconds least{}; ///< of all; 0 as long as it is not known
    std::string refused;              ///< a request with this in it is not accepted, unless it is empty
    std::vector<std::string> told;    ///< requests whose answer nobody wants

private:
    struct waiting {
        std::string command;
        redlock::node::reply_receiver* receiver;
        redlock::node::reply_tag tag;
    };
    std::deque<waiting> requests;
    const std::string name_;
};

/// A quorum on such nodes, at a time that the test sets. What becomes known in a turn is acted on when it
/// ends.
class scripted_quorum : private time::time_source,
                        private turn::turn_listener,
                        private turn::inbox_waker,
                        private core::entropy {
public:
    /// Of clients that stand in queues where the mode is `automatic` or `client_tracking`, and are told of
    /// hand-overs in the former.
    explicit scripted_quorum(unsigned nodes = 3, redlock::wakeup mode = wakeup::timed,
                             std::size_t max_inflight = 1024);
    ~scripted_quorum();

    redis::quorum& quorum() noexcept;
    engine::engine& engine() noexcept;
    redlock::node::node_listener& listener() noexcept { return quorum(); }
    engine::claim_pointer claim(bool fencing = false);

    /// In a turn of its own, and what was asked for in it is written.
    template <class Action>
    void turn(Action action) {
        turns_->begin();
        action();
        turns_->end();
        flush();
    }
    /// `+` yes, `-` no, `!` no answer in time, `?` nothing yet: each node in a turn of its own. Gives what
    /// the first three mean.
    void answer_each(std::string_view how, std::string_view yes, std::string_view no);

    std::vector<std::unique_ptr<scripted_node>> nodes;
    std::vector<std::uint32_t> started_ears;
    time::instant clock{1h};

private:
    time::instant now() const noexcept override { return clock; }
    std::chrono::system_clock::time_point time_of_day() const noexcept override {
        return std::chrono::system_clock::time_point(clock.time_since_epoch());
    }
    void turn_began() noexcept override {}
    void turn_ended(std::optional<time::instant>) noexcept override {}
    void wake() noexcept override {}
    void fill(std::span<std::uint8_t> out) override;
    void flush();

    std::vector<std::unique_ptr<scripted_node>> ears_;
    core::random random_{1};
    std::unique_ptr<turn::turns> turns_;
    std::unique_ptr<engine_on_given_nodes> engine_;
};

/// Every way in which `nodes` nodes can answer.
std::vector<std::string> all_answers(unsigned nodes, std::string_view of);

} // namespace redlock::test
