#pragma once

#include "network/transport/stream.hpp"
#include "turn/turns.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace redlock::zookeeper {

/// Told what becomes of a connection. In a turn; it may close the connection then.
class connection_listener {
public:
    virtual void connected() = 0;
    /// One packet, without its length.
    virtual void arrived(std::string_view packet) = 0;
    /// It could not be made, or has ended: continues the name of the server. The last call.
    virtual void broken(errc why, const std::string& text) = 0;

protected:
    ~connection_listener() = default;
};

/// One connection to a server: packets over a stream of bytes. On the strand; it is held by what it has under
/// way.
class connection final : public network::stream_listener, public std::enable_shared_from_this<connection> {
public:
    connection(turn::turns& t, std::shared_ptr<network::stream> over, connection_listener& told);

    void connect(const network::destination& to, std::uint32_t attempt);
    /// What is put there is written by the next flush.
    std::string& output() noexcept { return output_; }
    bool has_unwritten() const noexcept { return connected_ && !blocked_ && !output_.empty(); }
    /// Writes what there is, as far as it is taken. What goes wrong is told later.
    void flush() noexcept;
    /// Something has arrived that was not read: it is read next.
    bool has_unread() const noexcept { return connected_ && wire_->unread(); }
    void read_now() noexcept { wire_->interrupt(); }
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
    void take(std::string_view some);
    bool tell_packets(std::string_view& from);
    void end(errc why, const std::string& text);

    turn::turns& turns_;
    connection_listener* told_; ///< null once it is closed
    const std::shared_ptr<network::stream> wire_;
    std::string output_;
    std::string begun_; ///< of a packet that has not arrived in full
    bool connected_ = false;
    bool blocked_ = false; ///< the stream takes no more for now
    error_code write_failure_;
    std::array<char, std::size_t(16) << 10> input_;
};

} // namespace redlock::zookeeper
