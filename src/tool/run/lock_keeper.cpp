#include "run/lock_keeper.hpp"

#include "cli/exit_status.hpp"
#include "cli/option_words.hpp"
#include "cli/setter.hpp"
#include "nodes/client_session.hpp"
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
#include <variant>

namespace redlock::tool {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

/// One key, or several together, or one to lead with.
using held_keys = std::variant<lease, lease_set, leadership>;

std::chrono::nanoseconds remaining_of(const held_keys& held) {
    return std::visit([](const auto& each) { return each.remaining(); }, held);
}

/// Writes down until when what is held is good, and tells who sits at a terminal why nothing happens.
struct keeping_observer : observer {
    keeping_observer(lease_end& where, const held_keys& what) : end(where), held(what) {}
    void waiting(std::string_view key) noexcept override {
        if (std::exchange(told, true) || ::isatty(STDERR_FILENO) != 1) return;
        print_notice(fmt::format("waiting for {}", key));
    }
    void renewed(std::string_view, std::chrono::nanoseconds) noexcept override {
        const auto remaining = remaining_of(held);
        if (remaining.count() > 0) end.set(boot_clock::now() + remaining);
    }
    lease_end& end;
    const held_keys& held;
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
    template <class Held>
    void on_grant(Held granted);
    template <class Held>
    auto handler() {
        auto take = [this](std::exception_ptr failure, Held granted) {
            if (failure) return on_failure(failure);
            on_grant(std::move(granted));
        };
        return with_diagnostics(asio::bind_cancellation_slot(cancel_.slot(), std::move(take)));
    }
    bool is_granted() const noexcept {
        return std::visit([](const auto& each) { return bool(each); }, held_);
    }
    void on_loss();
    void on_supervisor_gone();
    void give_back();
    void close(int status);
    void complain(const std::string& what, error_code error) const;

    channel& line_;
    const lock_plan& plan_;
    lease_end& end_;
    asio::io_context context_{1};
    held_keys held_;
    client locks_;
    asio::posix::stream_descriptor readable_;
    asio::steady_timer grace_;
    asio::cancellation_signal cancel_;
    int group_ = 0;         ///< of the command; 0 before it is made and after it ended
    bool unwanted_ = false; ///< the command ended, or will not begin
    bool closing_ = false;
};

config observed(config nodes, lease_end& end, const held_keys& held) {
    nodes.observer = std::make_shared<keeping_observer>(end, held);
    return nodes;
}

/// What the command is told, NAME=VALUE, one a line.
std::string variables_of(const lease& held, const lock_options& options) {
    std::string all;
    if (const auto token = held.fencing_token()) all += fmt::format("REDLOCK_FENCING_TOKEN={}\n", *token);
    if (options.permits > 1) all += fmt::format("REDLOCK_SLOT={}\n", held.slot());
    return all;
}

std::string variables_of(const lease_set& held, const lock_options& options) {
    if (!options.fencing) return {};
    std::string tokens;
    for (const lease& each : held)
        tokens += fmt::format("{}{}", tokens.empty() ? "" : " ", each.fencing_token().value_or(0));
    return fmt::format("REDLOCK_FENCING_TOKEN={}\n", tokens);
}

std::string variables_of(const leadership& held, const lock_options&) {
    return fmt::format("REDLOCK_TERM={}\n", held.term());
}

std::string list_of(const std::vector<std::string>& keys) { return fmt::format("{}", fmt::join(keys, ", ")); }

lock_keeper::lock_keeper(channel& line, const lock_plan& plan, lease_end& end)
    : line_(line),
      plan_(plan),
      end_(end),
      locks_(open_client(context_, observed(plan.nodes, end, held_))),
      readable_(context_, line.number()),
      grace_(context_) {}

void lock_keeper::run() {
    listen();
    if (plan_.proclaimed)
        locks_.async_campaign(plan_.keys.front(), *plan_.proclaimed, plan_.options, handler<leadership>());
    else if (plan_.keys.size() == 1)
        locks_.async_lock(plan_.keys.front(), plan_.options, handler<lease>());
    else
        locks_.async_lock_all(plan_.keys, plan_.options, handler<lease_set>());
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
    // The key of a command that never ran is not to stay.
    if (m.number == 1 && plan_.options.keep.count() > 0 && is_granted() && !std::exchange(unwanted_, true))
        return close(fine);
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
        complain(plan_.proclaimed ? "cannot lead" : "cannot lock", e.code());
    if (status == no_quorum || status == refused) report_failed_nodes(locks_);
    close(status);
}

template <class Held>
void lock_keeper::on_grant(Held granted) {
    if (unwanted_) return close(fine);
    Held& held = held_.emplace<Held>(std::move(granted));
    end_.set(boot_clock::now() + held.remaining());
    held.async_wait_lost([this](error_code why) {
        if (!why) on_loss();
    });
    line_.send({subject::begin, 0, variables_of(held, plan_.options)});
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
    if (!is_granted()) return cancel_.emit(asio::cancellation_type::terminal);
    const auto given_back = [this](error_code error) {
        if (error) complain("cannot give back", error);
        close(status_of(error) == lease_lost ? lease_lost : fine);
    };
    std::visit([&](auto& held) { held.async_unlock(given_back); }, held_);
}

void lock_keeper::close(int status) {
    if (std::exchange(closing_, true)) return;
    locks_.async_close([this, status](error_code) {
        line_.send({subject::done, status, {}});
        readable_.cancel();
    });
}

void lock_keeper::complain(const std::string& what, error_code error) const {
    print_notice(fmt::format("{} {}: {}", what, list_of(plan_.keys), in_options(error.message())));
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
