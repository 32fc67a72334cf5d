#pragma once

#include "core/instant.hpp"
#include "engines/etcd/line/exchange.hpp"

#include <boost/intrusive/list.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nghttp2/nghttp2.h>
#include <span>
#include <string>
#include <string_view>

namespace redlock::etcd {

/// Our end of one HTTP/2 connection that carries calls of gRPC, without any I/O: it is given what the server
/// sent and what there is to be asked, and has the one as news of exchanges and the other as bytes. Its
/// memory is bounded, whatever the server sends. Not thread-safe.
class http2_session {
public:
    /// Of unfinished single answers, together.
    static constexpr std::size_t most_kept = std::size_t(64) << 20;

    /// `authority`: host and port of the server. Throws std::bad_alloc.
    http2_session(std::string authority, bool encrypted);
    http2_session(const http2_session&) = delete;
    http2_session& operator=(const http2_session&) = delete;
    ~http2_session() = default;

    // What the server is to be sent. Exchanges that are under way outlive the session, or are cancelled.

    /// False when this connection takes no more. `token` as the server gave it, or empty.
    bool begin(exchange& e, std::string_view token) noexcept;
    /// Whether what it sends is taken whole, with all that was begun before, as far as the server has room.
    /// Of two that share what room there is the one that has begun earlier may not be the first to go on, and
    /// may be the last for as long as others come.
    bool has_room_for(const exchange& e) const noexcept;
    /// It has more to send.
    void go_on(exchange& e) noexcept;
    /// Nothing is wanted of it any more; it is forgotten.
    void cancel(exchange& e) noexcept;
    /// Asks for a sign of life; the server answers with some bytes.
    void ping() noexcept;
    bool has_outgoing() const noexcept;
    /// Up to as much as fits in a few frames; what it has of exchanges leaves at `now`. False after a
    /// failure.
    bool gather(bytes& to, core::instant now) noexcept;

    // What it sent.

    /// False when it breaks the protocol, or has ended the connection in order: see `problem`.
    bool arrived(std::string_view some) noexcept;
    /// The next that something has come for, or null. Those that have ended are not under way any more.
    exchange* next_news() noexcept;
    bool has_news() const noexcept { return !news_.empty(); }
    /// It has said what it expects of us: it speaks HTTP/2.
    bool is_settled() const noexcept { return settled_; }
    /// It takes nothing new, and ends the connection once all is answered.
    bool is_leaving() const noexcept { return leaving_; }
    /// Why it ends: continues the name of the server.
    const std::string& problem() const noexcept { return problem_; }
    /// Whether that is something that nobody who speaks HTTP/2 and gRPC does.
    bool breaks_protocol() const noexcept { return breaks_protocol_ && !problem_.empty(); }

private:
    struct events;
    struct free_session {
        void operator()(nghttp2_session* s) const noexcept { nghttp2_session_del(s); }
    };
    using news =
        boost::intrusive::list<exchange,
                               boost::intrusive::member_hook<exchange, exchange::hook, &exchange::news_>,
                               boost::intrusive::constant_time_size<false>>;

    void settle();
    bool takes_more() const noexcept;
    /// Every number that a stream can have.
    bool is_used_up() const noexcept;
    static std::string unlike_http2(int error);
    void end_at_once(const nghttp2_goaway& g) noexcept;
    int break_off(std::string why) noexcept;
    void finish(exchange& e, ending how) noexcept;
    void forget(exchange& e) noexcept;
    exchange* at(std::int32_t id) const noexcept;
    int take_field(std::int32_t id, std::string_view name, std::string_view value) noexcept;
    int take_data(std::int32_t id, std::string_view some) noexcept;
    void take_frame(const nghttp2_frame& f) noexcept;
    void take_end(std::int32_t id, std::uint32_t error) noexcept;
    long give_data(std::int32_t id, std::span<char> room, std::uint32_t& flags) noexcept;

    const std::string authority_;
    const std::string_view scheme_;
    std::unique_ptr<nghttp2_session, free_session> session_;
    news news_;
    std::string problem_; ///< the first
    core::instant now_{};
    std::size_t kept_ = 0;
    std::size_t unsent_ = 0; ///< of single exchanges that were begun
    bool settled_ = false;
    bool leaving_ = false;
    bool breaks_protocol_ = true; ///< where there is a problem
};

} // namespace redlock::etcd
