#pragma once

#include "core/instant.hpp"
#include "engines/etcd/line/message_frames.hpp"
#include "engines/etcd/line/method.hpp"
#include "engines/etcd/line/reply_head.hpp"

#include <boost/intrusive/list.hpp>

#include <cstdint>
#include <string_view>

namespace redlock::etcd {

/// How an exchange has ended, as far as HTTP knows.
enum class ending : std::uint8_t {
    not_yet,
    in_order, ///< the head says how it came out
    refused,  ///< the server has not begun with it, and would not mind to be asked again
    reset,    ///< by the server
    malformed ///< so that it was given up
};

/// One request of HTTP and its answer: what there is to send, and what has come. On one connection at a time.
class exchange {
public:
    exchange(const exchange&) = delete;
    exchange& operator=(const exchange&) = delete;

protected:
    /// `single`: one message each way.
    exchange(const method& m, bool single) noexcept : method_(m), single_(single) {}
    ~exchange() = default;

    /// Messages have come, unless it is single, or it has ended.
    virtual void has_news() noexcept = 0;

    /// For another connection, or another time.
    void begin_anew() noexcept {
        head_.clear();
        incoming_.clear();
        ending_ = ending::not_yet;
        id_ = 0;
        news_.unlink();
    }

    bool is_under_way() const noexcept { return id_ != 0; }

    outgoing_messages outgoing_;
    incoming_messages incoming_;
    reply_head head_;
    core::instant left_at_{}; ///< not after the first byte of the message left
    ending ending_ = ending::not_yet;

private:
    friend class http2_session;
    friend class traffic;
    using hook =
        boost::intrusive::list_member_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

    const method& method_;
    const bool single_;
    std::int32_t id_ = 0; ///< of the stream of HTTP/2; 0: none
    hook news_;
};

} // namespace redlock::etcd
