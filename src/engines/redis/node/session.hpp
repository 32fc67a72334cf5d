#pragma once

#include "core/flow/usual_round_trip.hpp"
#include "core/random.hpp"
#include "engines/redis/node/connection.hpp"
#include "engines/redis/node/fast_path.hpp"
#include "engines/redis/node/group/whereabouts.hpp"
#include "engines/redis/node/queue/held_requests.hpp"
#include "engines/redis/node/queue/pending_queue.hpp"
#include "engines/redis/node/redis_node.hpp"
#include "engines/redis/node/server/node_health.hpp"
#include "engines/redis/node/server/vote_guard.hpp"
#include "network/transport/io_source.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace redlock::node {

/// The inside of a `redis_node`, apart from it so that asynchronous operations can outlive the node: each of
/// their handlers holds the session. It carries out what the health, the handshake and the queue decide.
///
/// Every entry into the strand goes through `go_on` or `wake`, which end the turn: the listener hears of it,
/// and the timer is armed. When to write what others submitted is the listener's choice; the session flushes
/// what is its own: the handshake, requests that were held until after it, a `PING`, what the socket did not
/// take before.
class session final : public std::enable_shared_from_this<session>, private master_follower {
public:
    session(redis_node::strand, address, std::uint32_t index, node_settings, node_listener&,
            const time::time_source&, std::uint64_t seed, network::io_source&);

    // As in redis_node.
    void start();
    void stop(std::function<void()> ended);
    errc submit(const request& r) noexcept;
    fast_path& fast() noexcept { return fast_; }
    void flush() noexcept;
    health state() const noexcept { return health_.state(); }
    status report() const;
    std::chrono::nanoseconds round_trip() const noexcept { return round_trip_; }
    std::chrono::nanoseconds usual_round_trip() const noexcept { return usual_.estimate(); }
    std::chrono::nanoseconds least_round_trip() const noexcept { return least_round_trip_; }
    const std::string& name() const noexcept { return name_; }
    bool reveals_secret(std::string_view text) const noexcept {
        return !address_.password.empty() && text.find(address_.password) != text.npos;
    }
    const server_info& server() const noexcept { return server_; }
    bool idle() const noexcept { return running_ == 0; }

    /// As `stop`, but calls nobody.
    void abandon() noexcept;
    void leave() noexcept {
        if (link_) link_->wire->leave();
    }

private:
    friend connection;
    using error_code = network::stream::error_code;

    /// For an asynchronous operation of the connection in use, which holds it.
    const std::shared_ptr<connection>& begin_operation() noexcept {
        ++running_;
        return link_;
    }
    /// One has ended: does `what` unless its connection is no longer the one in use.
    template <class... Outcome>
    void go_on(const connection& after, void (session::*what)(Outcome...), Outcome... outcome) {
        --running_;
        if (link_.get() == &after && !stopped_) {
            listener_.on_turn_begin();
            (this->*what)(outcome...);
            end_turn();
        }
        tell_ended();
    }

    // The life of a connection (session.cpp).
    void connect();
    bool go_to_master();
    void leave_group() noexcept;
    void master_changed() override;
    void on_connected(error_code ec);
    bool ask_for_credentials();
    void greet(const resp::reply& reply);
    void begin_service();
    bool is_refused(const server_info& server);
    bool is_of_cluster() const noexcept { return settings_.belief_in_owner > std::chrono::nanoseconds(0); }
    void came_to_master(const std::string& replication_id_before, time::instant now);
    void keep_out();
    void serve();
    void lose(errc why, std::string detail);
    void lose(std::string_view what, error_code ec);
    std::shared_ptr<network::stream> make_wire();
    void close() noexcept;
    void wake();
    void arm();
    bool quiet() const noexcept;
    node_health::progress progress_since(std::uint64_t answered_before) const noexcept;
    void end_turn();
    void tell_ended();
    bool takes_requests() const noexcept;

    // What travels over it (session_traffic.cpp).
    static bool takes_cleanup(health state) noexcept {
        return state == health::suspect || state == health::quarantined;
    }
    errc turn_away(const request& r, health state) noexcept;
    errc hold(const request& r);
    bool take_in(std::string_view command) noexcept;
    void read();
    void on_read(error_code ec, std::size_t n);
    void on_end(error_code ec);
    bool take_replies(connection& link);
    void take(connection& link, const resp::reply& reply);
    void take_for_subscription(connection& link, const resp::reply& reply, bool told);
    void take_answer(const resp::reply& reply);
    void write(error_code& ec) noexcept;
    void on_writable(error_code ec);
    void on_write_failed(error_code ec);
    void ask(time::instant now);
    void expire(time::instant now);
    bool reads_first(time::instant oldest, time::instant now) noexcept;
    void ask_for_clock(time::instant now);
    void take_clock(const resp::reply& reply);
    void start_sample() noexcept;
    void end_sample(time::instant now) noexcept;

    redis_node::strand strand_;
    address address_; ///< with the user and the password of the last login, and of a group's last master
    const std::string name_;
    const std::uint32_t index_;
    /// Where the master is, if the node is a group; nothing once stopped, for it has its own connections.
    std::shared_ptr<whereabouts> group_;
    const node_settings settings_; ///< but for the group
    node_listener& listener_;
    const time::time_source& time_;
    network::io_source& io_;
    core::random jitter_;

    /// Takes in the server's answers to `TIME`.
    class clock_reader final : public reply_receiver {
    public:
        explicit clock_reader(session& owner) noexcept : owner_(owner) {}

    private:
        void on_reply(reply_tag, const resp::reply& reply) noexcept override { owner_.take_clock(reply); }
        void on_failure(reply_tag, errc) noexcept override { owner_.clock_asked_ = false; }
        session& owner_;
    };

    node_health health_;
    vote_guard guard_;
    clock_reader clock_reader_{*this};
    held_requests held_;
    pending_queue pending_;
    std::shared_ptr<connection> link_; ///< null between two connections
    const std::unique_ptr<network::wake_timer> timer_;
    fast_path fast_;
    server_info server_;

    errc refusal_{};             ///< why requests are refused when there is no connection
    errc last_error_{};          ///< of the node, be there a connection or not
    std::string last_detail_;    ///< continues a sentence that begins with the node's name
    std::uint32_t attempts_ = 0; ///< to connect
    bool moved_ = false;         ///< to another server, which has not taken requests yet
    time::instant clock_asked_at_;
    time::instant clock_due_ = time::instant::max(); ///< when to ask for the server's clock
    bool clock_asked_ = false;
    bool grace_ = false; ///< overdue replies wait unread, and are read before anything is abandoned
    bool stopped_ = false;
    std::size_t running_ = 0; ///< asynchronous operations outstanding
    std::vector<std::function<void()>> ended_;

    std::uint64_t commands_ = 0;
    std::uint64_t timeouts_ = 0;
    std::uint64_t connects_ = 0;
    std::uint64_t disconnects_ = 0;
    std::uint64_t quarantines_ = 0;
    std::chrono::nanoseconds round_trip_{0}; ///< smoothed
    std::chrono::nanoseconds least_round_trip_{0};
    core::usual_round_trip usual_;
    core::histogram round_trips_;
    bool sampling_ = false; ///< a round trip is being measured
    std::uint64_t sampled_request_ = 0;
    time::instant sample_began_;
};

} // namespace redlock::node
