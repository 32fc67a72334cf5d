#include "support/fault_proxy.hpp"

#include "support/listen.hpp"
#include "support/system_error.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <future>
#include <sys/socket.h>

namespace redlock::test {

namespace asio = boost::asio;

fault_proxy::fault_proxy(std::uint16_t server_port)
    : work_(context_.get_executor()),
      server_(asio::ip::address_v4::loopback(), server_port),
      acceptor_(listen_on_loopback(context_)),
      admission_changed_(context_, asio::steady_timer::time_point::max()),
      port_(acceptor_.local_endpoint().port()) {
    auto fail_loudly = [](std::exception_ptr failure) {
        if (failure) std::rethrow_exception(failure);
    };
    asio::co_spawn(context_, accept_clients(), fail_loudly);
    thread_.emplace(context_);
}

fault_proxy::~fault_proxy() = default;

std::string fault_proxy::uri() const { return "redis://127.0.0.1:" + std::to_string(port_); }

asio::awaitable<void> fault_proxy::accept_clients() {
    constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
    for (;;) {
        while (faults_.refuse)
            co_await admission_changed_.async_wait(as_result);
        auto [failure, client] = co_await acceptor_.async_accept(as_result);
        if (failure == asio::error::operation_aborted) continue;
        if (failure) throw boost::system::system_error(failure, "fault_proxy cannot accept");
        std::erase_if(sessions_, [](const auto& session) { return !session->is_open(); });
        auto listener = [this](const command_parser::command& found) { on_command(found); };
        auto session = std::make_shared<proxy_session>(std::move(client), faults_, std::move(listener));
        sessions_.push_back(session);
        ++accepted_;
        session->start(server_);
    }
}

void fault_proxy::on_command(const command_parser::command& found) {
    if (found.empty()) return;
    ++counts_[found[0]];
    // The action may set up another one.
    if (auto node = actions_.extract(found[0])) node.mapped()();
}

void fault_proxy::run_in_thread(const std::function<void()>& action) const {
    std::promise<void> done;
    asio::dispatch(context_, [&] {
        action();
        done.set_value();
    });
    done.get_future().wait();
}

void fault_proxy::reset_sessions(bool only_lossy) {
    for (const auto& session : sessions_) {
        if (!only_lossy || session->has_lost_bytes()) session->reset();
    }
}

// A listening socket that is shut down refuses connections, and keeps its port from everybody else as long as
// it does not share it: others bind with SO_REUSEADDR, too. To listen again it has to, with its own
// connections.
void fault_proxy::change(const std::function<void(proxy_faults&)>& edit) {
    run_in_thread([&] {
        const bool refused = faults_.refuse;
        edit(faults_);
        if (faults_.refuse && !refused) {
            acceptor_.cancel();
            acceptor_.set_option(asio::socket_base::reuse_address(false));
            if (::shutdown(acceptor_.native_handle(), SHUT_RD) != 0) throw_errno("shutdown");
        }
        if (!faults_.refuse && refused) {
            acceptor_.set_option(asio::socket_base::reuse_address(true));
            if (::listen(acceptor_.native_handle(), SOMAXCONN) != 0) throw_errno("listen");
        }
        admission_changed_.cancel();
        for (const auto& session : sessions_)
            session->look_again();
    });
}

void fault_proxy::pass() {
    change([this](proxy_faults& faults) {
        faults = {};
        reset_sessions(true);
    });
}

void fault_proxy::refuse() {
    change([this](proxy_faults& faults) {
        faults.refuse = true;
        reset_sessions(false);
    });
}

void fault_proxy::black_hole() {
    change([](proxy_faults& faults) { faults.lose = {true, true}; });
}

void fault_proxy::freeze() {
    change([](proxy_faults& faults) { faults.frozen = {true, true}; });
}

void fault_proxy::freeze(direction way) {
    change([way](proxy_faults& faults) { faults.frozen[static_cast<std::size_t>(way)] = true; });
}

void fault_proxy::thaw() {
    change([](proxy_faults& faults) { faults.frozen = {}; });
}

void fault_proxy::lose(direction way) {
    change([way](proxy_faults& faults) { faults.lose[static_cast<std::size_t>(way)] = true; });
}

void fault_proxy::reset_connections() {
    run_in_thread([this] { reset_sessions(false); });
}

void fault_proxy::delay(std::chrono::milliseconds time) {
    change([time](proxy_faults& faults) { faults.delay = time; });
}

void fault_proxy::garble_pushes(const push_faults& worst) {
    change([worst](proxy_faults& faults) { faults.pushes = worst; });
}

void fault_proxy::fragment(bool on) {
    change([on](proxy_faults& faults) { faults.fragment = on; });
}

void fault_proxy::before_command(std::string name, std::function<void()> action) {
    run_in_thread([&] { actions_.emplace(std::move(name), std::move(action)); });
}

std::size_t fault_proxy::open_connections() const {
    std::size_t count = 0;
    run_in_thread([&] {
        for (const auto& session : sessions_)
            count += session->is_open() ? 1U : 0U;
    });
    return count;
}

std::size_t fault_proxy::accepted_connections() const {
    std::size_t count = 0;
    run_in_thread([&] { count = accepted_; });
    return count;
}

std::size_t fault_proxy::commands(const std::string& name) const {
    std::size_t count = 0;
    run_in_thread([&] {
        if (const auto found = counts_.find(name); found != counts_.end()) count = found->second;
    });
    return count;
}

} // namespace redlock::test
