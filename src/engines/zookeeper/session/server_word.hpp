#pragma once

#include "network/transport/stream.hpp"
#include "time/timer_queue.hpp"
#include "turn/turns.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace redlock::zookeeper {

/// Asks a server `srvr`, the word of four letters that all of them answer unless they are told otherwise,
/// over a connection of its own, which the server closes behind the answer. On the strand.
class server_word final : public network::stream_listener,
                          public std::enable_shared_from_this<server_word>,
                          private time::timer {
public:
    /// In a turn, once: what came, which may be nothing.
    using handler = std::function<void(std::string_view answer)>;

    server_word(turn::turns& t, std::shared_ptr<network::stream> over, handler told);

    void ask(const network::destination& whom, core::nanoseconds patience);
    /// Nobody wants to know it any more.
    void let_go() noexcept;

private:
    static constexpr std::size_t longest_answer = 4096;

    void on_connected(error_code ec) override;
    void on_read(error_code ec, std::size_t n) override;
    void on_writable(error_code) override {}
    void expired(time::instant) noexcept override { tell(); }
    void read();
    void tell();

    turn::turns& turns_;
    const std::shared_ptr<network::stream> wire_;
    handler told_; ///< null once it is over
    std::string answer_;
    std::array<char, 1024> input_;
};

/// Of the server, as its answer says it: "3.8.0". Empty where it does not.
std::string version_in(std::string_view answer);

} // namespace redlock::zookeeper
