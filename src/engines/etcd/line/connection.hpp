#pragma once

#include "core/instant.hpp"
#include "engines/etcd/line/http2_session.hpp"
#include "network/transport/io_source.hpp"
#include "network/transport/stream.hpp"
#include "turn/turns.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace redlock::etcd {

using strand = network::io_source::strand;

/// Told what becomes of a connection. In a turn; it may close the connection then.
class connection_listener {
public:
    using error_code = boost::system::error_code;

    virtual void connected() = 0;
    /// Something came: there may be news in the session.
    virtual void heard() = 0;
    /// There may be news of something else.
    virtual void woken() = 0;
    /// It could not be made, or has ended: continues the name of the endpoint. The last call.
    virtual void broken(errc why, const std::string& text) = 0;

protected:
    ~connection_listener() = default;
};

/// One HTTP/2 connection over a stream of bytes. On the strand; it is held by what it has under way.
class connection final : public network::stream_listener, public std::enable_shared_from_this<connection> {
public:
    connection(const strand& on, turn::turns& t, std::shared_ptr<network::stream> over, std::string authority,
               bool encrypted, connection_listener& told);

    void connect(const network::destination& to, std::uint32_t attempt);
    http2_session& http2() noexcept { return http2_; }
    bool has_unwritten() const noexcept;
    /// Writes what there is, as far as it is taken. What goes wrong is told later.
    void flush() noexcept;
    /// Has the listener woken in a turn to come.
    void wake_later() noexcept;
    /// Something has arrived that was not read: it is read next.
    bool has_unread() const noexcept { return reading_ && wire_->unread(); }
    void read_now() noexcept { wire_->interrupt(); }
    /// What a connect still waits for; null where nothing is known.
    const network::obstacle* met() const noexcept { return wire_->met(); }
    /// Calls nobody any more.
    void close() noexcept;
    /// Likewise, and what is on its way goes no further.
    void drop() noexcept;
    /// In a forked child: gives up what it shares with its parent, likewise.
    void leave() noexcept;

private:
    using error_code = boost::system::error_code;

    void on_connected(error_code ec) override;
    void on_read(error_code ec, std::size_t n) override;
    void on_writable(error_code ec) override;
    /// In a turn, unless it was closed meanwhile.
    template <class What>
    void go_on(What what);
    void read();
    void take(std::size_t n);
    void end(errc why, const std::string& text);
    void end(std::string_view how, error_code ec);
    void end_of_input(error_code ec);

    const strand strand_;
    turn::turns& turns_;
    connection_listener* told_; ///< null once it is closed
    const std::shared_ptr<network::stream> wire_;
    http2_session http2_;
    const bool encrypted_;
    bytes output_;
    std::size_t written_ = 0; ///< of that
    bool connected_ = false;
    bool reading_ = false;
    bool blocked_ = false; ///< the stream takes no more for now
    bool heard_ = false;
    error_code write_failure_;
    std::array<char, std::size_t(64) << 10> input_;
};

} // namespace redlock::etcd
