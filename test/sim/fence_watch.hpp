#pragma once

#include "engines/redis/node/node.hpp"
#include "sim/checker.hpp"
#include "sim/event_queue.hpp"
#include "sim/keyspace.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace redlock::sim {

/// Sees what one client sends, and knows from it when the client began to ask for a fencing token: after that
/// began another grant may have completed, before it none that may carry a higher one.
class fence_watch {
public:
    explicit fence_watch(const event_queue& events) noexcept : events_(events) {}

    void sends(std::string_view bytes);

    /// When whoever was granted the key now began to ask for its token. `token` is what the keys have: that
    /// of its own try, or of an earlier grant if the lease was handed on to it.
    nanoseconds began_asking(const std::string& full_key, const std::string& token);

private:
    struct asking {
        nanoseconds began{-1}; ///< −1 while only the key was asked for
    };

    void sends(const words& command);
    void advance(const std::string& key, std::string_view value);
    void ask_for_key(const words& set);
    /// False when it does not.
    bool ask_for_shared_key(const words& command);
    void ask_for_fence(asking& a) const noexcept {
        if (a.began < nanoseconds(0)) a.began = events_.now();
    }

    const event_queue& events_;
    std::map<std::string, asking> by_token_; ///< until the grant
    /// By fence key and proposal. Callers that asked in one turn have the same; they ask at one time.
    std::map<std::string, std::set<std::string>> tokens_of_proposal_;
    std::map<std::string, asking> handed_on_; ///< by key: since its last grant
};

/// A node in front of another, which shows what is sent to it. Where there are no fences to watch, most of it
/// goes the fast way, unseen.
class watched_node final : public node::node {
public:
    watched_node(redlock::node::node& behind, fence_watch& watch, bool has_fences) noexcept
        : behind_(behind), watch_(watch) {
        if (!has_fences) fast_ = behind.fast();
    }

    errc submit(const redlock::node::request& r) noexcept override {
        watch_.sends(r.command);
        return behind_.submit(r);
    }
    void flush() noexcept override { behind_.flush(); }
    redlock::node::health state() const noexcept override { return behind_.state(); }
    const redlock::node::server_info& server() const noexcept override { return behind_.server(); }
    redlock::node::status report() const override { return behind_.report(); }
    std::chrono::nanoseconds round_trip() const noexcept override { return behind_.round_trip(); }
    std::chrono::nanoseconds usual_round_trip() const noexcept override { return behind_.usual_round_trip(); }
    std::string_view name() const noexcept override { return behind_.name(); }
    bool has_several_servers() const noexcept override { return behind_.has_several_servers(); }
    redlock::node::key_layout layout() const noexcept override { return behind_.layout(); }

private:
    redlock::node::node& behind_;
    fence_watch& watch_;
};

} // namespace redlock::sim
