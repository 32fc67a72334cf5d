#include "floor.hpp"

#include "interruption.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>
#include <sys/epoll.h>
#include <system_error>
#include <unistd.h>

namespace bench {
namespace {

// Far more than two commands for each cycle of the largest window; a node that lags by this much holds up new
// cycles.
constexpr std::size_t log_size = 1 << 16;
constexpr int patience_ms = 5000;

} // namespace

floor::floor(const std::vector<std::uint16_t>& ports, std::size_t callers)
    : began_(callers),
      log_(log_size),
      majority_(ports.size() / 2 + 1),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    if (epoll_ < 0) throw std::system_error(errno, std::generic_category(), "epoll_create1");
    for (const auto port : ports) {
        peers_.push_back({wire_node(port), 0, false});
        const auto server = prepare(peers_.back().wire);
        if (commands_.empty()) commands_ = encode_for(callers, server);
    }
    for (const auto& p : peers_)
        watch(p, EPOLLIN, EPOLL_CTL_ADD);
}

floor::~floor() {
    if (epoll_ >= 0) ::close(epoll_);
}

void floor::watch(const peer& p, std::uint32_t events, int operation) {
    epoll_event e{};
    e.events = events;
    e.data.u64 = static_cast<std::uint64_t>(&p - peers_.data());
    if (::epoll_ctl(epoll_, operation, p.wire.socket(), &e) != 0)
        throw std::system_error(errno, std::generic_category(), "epoll_ctl");
}

sample floor::run(const load& plan) {
    recorder record(plan);
    plan_ = plan;
    record_ = &record;
    going_ = true;
    finished_ = 0;
    const auto written_before = written_;
    for (std::uint32_t caller = 0; caller < plan.in_flight; ++caller)
        call(caller, steady::now());
    while (going_)
        turn();
    waiting_.clear();
    while (outstanding() > 0)
        turn();
    auto result = record.result();
    const auto commands = (written_ - written_before) * peers_.size();
    result.commands_per_cycle = static_cast<double>(commands) / static_cast<double>(finished_);
    return result;
}

std::uint64_t floor::outstanding() const {
    const auto slowest = std::min_element(peers_.begin(), peers_.end(),
                                          [](auto& a, auto& b) { return a.answered < b.answered; });
    return written_ - slowest->answered;
}

void floor::turn() {
    admit();
    for (auto& p : peers_)
        if (!p.blocked) flush(p);
    std::array<epoll_event, 64> events;
    throw_if_interrupted();
    const int ready = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), patience_ms);
    if (ready == 0) throw std::runtime_error(fmt::format("no node answered within {} ms", patience_ms));
    for (int i = 0; i < ready; ++i) {
        const auto& e = events[static_cast<std::size_t>(i)];
        auto& p = peers_[static_cast<std::size_t>(e.data.u64)];
        if ((e.events & EPOLLOUT) != 0) flush(p);
        if ((e.events & ~std::uint32_t{EPOLLOUT}) != 0) read(p);
    }
}

void floor::flush(peer& to) {
    const bool blocked = !to.wire.flush();
    if (blocked == to.blocked) return;
    to.blocked = blocked;
    watch(to, blocked ? EPOLLIN | EPOLLOUT : EPOLLIN, EPOLL_CTL_MOD);
}

void floor::admit() {
    while (!waiting_.empty() && active_ < plan_.window && outstanding() < log_size / 2) {
        ++active_;
        write(waiting_.front(), false);
        waiting_.pop_front();
    }
}

void floor::call(std::uint32_t caller, steady::time_point now) {
    began_[caller] = now;
    waiting_.push_back(caller);
}

void floor::write(std::uint32_t caller, bool release) {
    log_[written_++ % log_size] = {caller, 0, release};
    const auto& bytes = release ? commands_[caller].release : commands_[caller].acquire;
    for (auto& p : peers_)
        p.wire.append(bytes);
}

void floor::read(peer& from) {
    from.wire.read_lines([&](std::string_view reply) {
        auto& c = log_[from.answered++ % log_size];
        const bool expected = reply == (c.release ? ":1" : "_");
        if (!expected) throw std::runtime_error(fmt::format("{} answered {}", from.wire.name(), reply));
        if (++c.votes != majority_) return;
        if (c.release)
            finish(c.caller);
        else
            write(c.caller, true);
    });
}

void floor::finish(std::uint32_t caller) {
    --active_;
    ++finished_;
    if (!going_) return;
    const auto now = steady::now();
    going_ = record_->add(began_[caller], now);
    call(caller, now);
}

} // namespace bench
