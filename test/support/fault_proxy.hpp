#pragma once

#include "support/loop_thread.hpp"
#include "support/proxy_session.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace redlock::test {

/// A TCP proxy in front of one server on loopback that does to the traffic what bad networks do. It runs in a
/// thread of its own. All members may be called from any thread, also from an action given to
/// `before_command`; each returns when the change is in force.
class fault_proxy {
public:
    explicit fault_proxy(std::uint16_t server_port);
    fault_proxy(const fault_proxy&) = delete;
    fault_proxy& operator=(const fault_proxy&) = delete;
    ~fault_proxy();

    std::uint16_t port() const noexcept { return port_; }
    std::string uri() const;

    /// Ends every fault. Connections that lost bytes are reset, since the rest of their streams is worthless.
    void pass();
    /// As if the server's process were gone: resets the connections there are, refuses new ones.
    void refuse();
    /// As if the server's machine were gone: accepts new connections, swallows every byte both ways.
    void black_hole();
    /// Holds bytes, both ways or one, until `thaw` or `pass`; none is lost.
    void freeze();
    void freeze(direction way);
    void thaw();
    /// Swallows bytes of one direction. A connection that lost bytes goes on losing them until it is reset.
    void lose(direction way);
    /// Breaks the connections there are with a TCP reset.
    void reset_connections();
    /// Passes bytes on after `time`. Bytes that arrive meanwhile may wait up to twice as long.
    void delay(std::chrono::milliseconds time);
    /// Does this to what the server says by itself. Call it before the first connection is made.
    void garble_pushes(const push_faults& worst);
    /// Passes bytes on in writes of a single byte.
    void fragment(bool on);

    /// Runs `action` once, in the proxy's thread, just before the next command of that name is passed on
    /// together with what was written in one piece with it. Names are compared as the client writes them.
    void before_command(std::string name, std::function<void()> action);

    /// How many connections are open, and how many were accepted so far.
    std::size_t open_connections() const;
    std::size_t accepted_connections() const;
    /// How many commands of that name clients have sent so far, whether they were passed on or not.
    std::size_t commands(const std::string& name) const;

private:
    using tcp = proxy_session::tcp;

    boost::asio::awaitable<void> accept_clients();
    void on_command(const command_parser::command& found);
    void reset_sessions(bool only_lossy);
    void change(const std::function<void(proxy_faults&)>& edit);
    void run_in_thread(const std::function<void()>& action) const;

    mutable boost::asio::io_context context_{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
    tcp::endpoint server_;
    tcp::acceptor acceptor_;
    boost::asio::steady_timer admission_changed_;
    std::uint16_t port_ = 0;
    proxy_faults faults_;
    std::vector<std::shared_ptr<proxy_session>> sessions_;
    std::size_t accepted_ = 0;
    std::map<std::string, std::size_t, std::less<>> counts_;
    std::multimap<std::string, std::function<void()>, std::less<>> actions_;
    std::optional<loop_thread> thread_;
};

} // namespace redlock::test
