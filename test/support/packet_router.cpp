#include "support/packet_router.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>

namespace redlock::test {

namespace {

// Of what has to wait for a slow link, in time: more is thrown away, as routers do.
constexpr std::chrono::milliseconds longest_queue{500};
constexpr std::size_t largest_packet = 65'536;

} // namespace

packet_router::packet_router(file_descriptor clients, file_descriptor servers, std::vector<distance> ways)
    : clients_(std::move(clients)), servers_(std::move(servers)), end_(::eventfd(0, EFD_CLOEXEC)) {
    for (distance& d : ways)
        ways_.push_back({.is = d, .there = {}, .back = {}});
    thread_ = std::thread([this] { run(); });
}

packet_router::~packet_router() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(end_.get(), &one, sizeof one);
    thread_.join();
}

void packet_router::set(std::size_t way, const distance& d) {
    const std::lock_guard guard(mutex_);
    ways_.at(way).is = d;
}

void packet_router::cut(std::size_t way, bool there, bool back) {
    const std::lock_guard guard(mutex_);
    ways_.at(way).there.is_cut = there;
    ways_.at(way).back.is_cut = back;
}

void packet_router::run() {
    std::array<pollfd, 3> watched{pollfd{clients_.get(), POLLIN, 0}, pollfd{servers_.get(), POLLIN, 0},
                                  pollfd{end_.get(), POLLIN, 0}};
    for (;;) {
        timespec patience{};
        const timespec* wait = nullptr;
        {
            const std::lock_guard guard(mutex_);
            const auto now = clock::now();
            send_due(now);
            if (!under_way_.empty()) {
                const auto left = std::max<std::chrono::nanoseconds>(under_way_.top().due - now, {});
                patience = {.tv_sec = left.count() / 1'000'000'000, .tv_nsec = left.count() % 1'000'000'000};
                wait = &patience;
            }
        }
        ::ppoll(watched.data(), watched.size(), wait, nullptr);
        if (watched[2].revents != 0) return;
        const std::lock_guard guard(mutex_);
        if (watched[0].revents != 0) take(clients_.get(), servers_.get(), true);
        if (watched[1].revents != 0) take(servers_.get(), clients_.get(), false);
    }
}

// The address of the server is in bytes 12 to 15 of an IPv4 header, or in the four behind them, which are
// those of the destination. All else, such as IPv6 that looks for neighbours, goes nowhere.
void packet_router::take(int from, int to, bool there) {
    std::array<char, largest_packet> space;
    for (;;) {
        const ssize_t size = ::read(from, space.data(), space.size());
        if (size < 20) {
            if (size < 0) return;
            continue;
        }
        if ((space[0] & 0xf0) != 0x40) continue;
        const auto way = static_cast<std::size_t>(static_cast<unsigned char>(space[there ? 19 : 15])) - 1;
        if (way >= ways_.size()) continue;
        route& r = ways_[way];
        packet p{
            .due = {}, .number = numbers_++, .to = to, .bytes{space.data(), static_cast<std::size_t>(size)}};
        if (delay(r, there ? r.there : r.back, p.bytes.size(), clock::now(), p.due))
            under_way_.push(std::move(p));
    }
}

bool packet_router::delay(route& r, lane& l, std::size_t bytes, clock::time_point now,
                          clock::time_point& due) {
    if (l.is_cut || std::uniform_real_distribution(0.0, 1.0)(random_) < r.is.loss) return false;
    std::chrono::nanoseconds more{0};
    if (r.is.jitter.count() > 0)
        more = std::chrono::nanoseconds(
            std::uniform_int_distribution<std::int64_t>(0, r.is.jitter.count())(random_));
    l.free = std::max(l.free, now);
    if (r.is.bits_per_second > 0) {
        if (l.free - now > longest_queue) return false;
        l.free += std::chrono::nanoseconds(static_cast<std::int64_t>(bytes) * 8 * 1'000'000'000 /
                                           static_cast<std::int64_t>(r.is.bits_per_second));
    }
    due = l.last = std::max(l.last, l.free + r.is.round_trip / 2 + more);
    return true;
}

void packet_router::send_due(clock::time_point now) {
    while (!under_way_.empty() && under_way_.top().due <= now) {
        const packet& first = under_way_.top();
        // What the tunnel has no room for is lost.
        [[maybe_unused]] const auto written = ::write(first.to, first.bytes.data(), first.bytes.size());
        under_way_.pop();
    }
}

} // namespace redlock::test
