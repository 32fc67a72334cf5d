#include "run/lock_keeper.hpp"

#include "cli/client_session.hpp"
#include "cli/exit_status.hpp"
#include "cli/option_words.hpp"
#include "cli/setter.hpp"
#include "process/command_process.hpp"
#include "text/notice.hpp"

#include <redlock/client.hpp>
#include <redlock/observer.hpp>
#include <redlock/with_diagnostics.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fmt/format.h>

#include <csignal>
#include <exception>
#include <memory>
#include <unistd.h>
#include <utility>

namespace redlock::tool {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

/// Writes down until when the lease is good, and tells who sits at a terminal why nothing happens.
struct keeping_observer : observer {
    explicit keeping_observer(lease_end& where) : end(where) {}
    void waiting(std::string_view key) noexcept override {
        if (std::exchange(told, true) || ::isatty(STDERR_FILENO) != 1) return;
        print_notice(fmt::format("waiting for {}", key));
    }
    void renewed(std::string_view, std::chrono::nanoseconds remaining) noexcept override {
        end.set(boot_clock::now() + remaining);
    }
    lease_end& end;
    bool told = false;
};

class lock_keeper {
public:
    lock_keeper(channel& line, const lock_plan& plan, lease_end& end);
    ~lock_keeper() { readable_.release(); }

    void run();

private:
    void listen();
    void hear(const message& m);
    void on_failure(const std::exception_ptr& failure);
    void on_grant(lease granted);
    void on_loss();
    void on_supervisor_gone();
    void give_back();
    void close(int status);
    void complain(const std::string& what, error_code error) const;

    channel& line_;
    const lock_plan& plan_;
    lease_end& end_;
    asio::io_context context_{1};
    client locks_;
    asio::posix::stream_descriptor readable_;
    asio::steady_timer grace_;
    asio::cancellation_signal cancel_;
    lease lease_;
    int group_ = 0;         ///< of the command; 0 before it is made and after it ended
    bool unwanted_ = false; ///< the command ended, or will not begin
    bool closing_ = false;
};

config observed(config nodes, lease_end& end) {
    nodes.observer = std::make_shared<keeping_observer>(end);
    return nodes;
}

lock_keeper::lock_keeper(channel& line, const lock_plan& plan, lease_end& end)
    : line_(line),
      plan_(plan),
      end_(end),
      locks_(open_client(context_, observed(plan.nodes, end))),
      readable_(context_, line.number()),
      grace_(context_) {}

void lock_keeper::run() {
    listen();
    auto handler = [this](std::exception_ptr failure, lease granted) {
        if (failure) return on_failure(failure);
        on_grant(std::move(granted));
    };
    locks_.async_lock(plan_.key, plan_.options,
                      with_diagnostics(asio::bind_cancellation_slot(cancel_.slot(), handler)));
    context_.run();
}

void lock_keeper::listen() {
    readable_.async_wait(asio::posix::stream_descriptor::wait_read, [this](error_code error) {
        if (error) return;
        while (const auto m = line_.receive())
            hear(*m);
        if (line_.ended()) return on_supervisor_gone();
        listen();
    });
}

void lock_keeper::hear(const message& m) {
    if (m.about == subject::started) group_ = static_cast<int>(m.number);
    if (m.about != subject::ended) return;
    group_ = 0;
    give_back();
}

void lock_keeper::on_failure(const std::exception_ptr& failure) try {
    if (unwanted_) return close(fine);
    std::rethrow_exception(failure);
} catch (const boost::system::system_error& e) {
    const int status = status_of(e.code());
    if (status == usage)
        print_notice(in_options(e.what())); // which of the things that can be wrong with a key
    else
        complain("cannot lock", e.code());
    if (status == no_quorum || status == refused) report_failed_nodes(locks_);
    close(status);
}

void lock_keeper::on_grant(lease granted) {
    if (unwanted_) return close(fine);
    lease_ = std::move(granted);
    end_.set(boot_clock::now() + lease_.remaining());
    lease_.async_wait_lost([this](error_code why) {
        if (!why) on_loss();
    });
    const auto token = lease_.fencing_token();
    line_.send({subject::begin, 0, token ? fmt::format("REDLOCK_FENCING_TOKEN={}", *token) : ""});
}

// The supervisor may be stopped, so the command is told from here, and killed from here if need be.
void lock_keeper::on_loss() {
    if (unwanted_) return;
    complain("lost", make_error_code(errc::lease_lost));
    report_failed_nodes(locks_);
    if (group_ != 0) signal_group(group_, SIGTERM);
    line_.send({subject::lost, group_ != 0, {}});
    grace_.expires_after(plan_.grace);
    grace_.async_wait([this](error_code error) {
        if (!error && group_ != 0) signal_group(group_, SIGKILL);
    });
}

void lock_keeper::on_supervisor_gone() {
    if (group_ != 0) signal_group(group_, SIGKILL);
    give_back();
}

void lock_keeper::give_back() {
    if (std::exchange(unwanted_, true)) return;
    grace_.cancel();
    // Without a lease the attempt is under way, and ends in on_grant.
    if (!lease_) return cancel_.emit(asio::cancellation_type::terminal);
    lease_.async_unlock([this](error_code error) {
        if (error) complain("cannot give back", error);
        close(status_of(error) == lease_lost ? lease_lost : fine);
    });
}

void lock_keeper::close(int status) {
    if (std::exchange(closing_, true)) return;
    locks_.async_close([this, status](error_code) {
        line_.send({subject::done, status, {}});
        readable_.cancel();
    });
}

void lock_keeper::complain(const std::string& what, error_code error) const {
    print_notice(fmt::format("{} {}: {}", what, plan_.key, in_options(error.message())));
}

} // namespace

void keep_lock(channel& line, const lock_plan& plan, lease_end& end) {
    try {
        lock_keeper(line, plan, end).run();
    } catch (const usage_error& e) {
        print_notice(e.what());
        line.send({subject::done, usage, {}});
    }
}

} // namespace redlock::tool
