#pragma once

#include "engines/redis/dialect/session.hpp"
#include "engines/redis/node/node.hpp"
#include "turn/routine_operation.hpp"

#include <redlock/config.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace redlock::redis {

class quorum;

/// Told what a server can do.
class probe_listener {
public:
    /// `automatic` when the server did not answer.
    virtual void wakeup_found(std::uint32_t node, redlock::wakeup found) noexcept = 0;

protected:
    ~probe_listener() = default;
};

/// Finds out how one server tells of changes to keys: it listens to a key of its own, writes and deletes it,
/// and sees whether the news come back. What a server says of its settings would not do: users may be
/// forbidden to ask, and to listen. Begins anew with every connection.
class event_probe final : private turn::routine_operation, private node::reply_receiver {
public:
    event_probe(quorum& r, std::uint32_t node, probe_listener& listener);

    /// Nothing while it runs already.
    void start();
    /// A push that came meanwhile.
    void hear(const resp::reply& message) noexcept;

private:
    enum event : unsigned { is_answered = 1 };
    enum request : std::uint32_t { any, flags, write_flags, track };

    turn::routine find_out();
    void subscribe_to_key();
    void change_key();
    void unsubscribe_from_key();
    void listen_to_invalidations();
    void ask_for_flags();
    /// False when none is missing.
    bool add_flags();
    void conclude(redlock::wakeup found) noexcept;
    bool wants(redlock::wakeup kind) const noexcept;
    bool has_several_servers() const noexcept;

    void begin() noexcept;
    void end_of_sending() noexcept;
    void send(std::initializer_list<std::string_view> words, request tag = any);
    void sent(errc refusal) noexcept;
    addressee back(request tag) noexcept;
    void on_reply(reply_tag tag, const resp::reply& reply) noexcept override;
    void on_failure(reply_tag tag, errc why) noexcept override;
    void answered() noexcept;
    void routine_ended() noexcept override {}

    quorum& quorum_;
    const std::uint32_t node_;
    probe_listener& listener_;
    std::string key_;
    std::string flags_; ///< `notify-keyspace-events` of the server
    unsigned outstanding_ = 0;
    bool sending_ = false;
    bool tracking_ = false; ///< it is invalidations that it listens for
    bool heard_ = false;    ///< the change of the own key
    bool failed_ = false;   ///< a request got no answer
    bool refused_ = false;  ///< CONFIG or CLIENT TRACKING was answered with an error
};

} // namespace redlock::redis
