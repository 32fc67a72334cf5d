#pragma once

#include <redlock/observer.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <string_view>

namespace redlock::chaos {

namespace asio = boost::asio;

/// Wakes whoever waits for something to change: a node, or a caller that has ended.
class news final : public observer {
public:
    explicit news(asio::io_context& loop) : changed_(loop) {}

    void node_changed(std::string_view, bool, std::string_view) noexcept override { wake(); }
    void wake() { changed_.cancel(); }
    /// Until the next change, or until then.
    asio::awaitable<void> wait(asio::steady_timer::time_point until) {
        changed_.expires_at(until);
        co_await changed_.async_wait(asio::as_tuple(asio::use_awaitable));
    }

private:
    asio::steady_timer changed_;
};

} // namespace redlock::chaos
