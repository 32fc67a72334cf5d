#include "contention/bare_contender.hpp"

#include "contention/bare_node.hpp"
#include "contention/clocks.hpp"
#include "engines/redis/node/address.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>
#include <stdexcept>
#include <sys/epoll.h>
#include <system_error>
#include <unistd.h>

namespace bench {
namespace {

using std::chrono::nanoseconds;

constexpr int patience_ms = 5000;

class bare_contest {
public:
    bare_contest(const scenario& what, const std::vector<std::string>& nodes, shared_log& log,
                 std::size_t process)
        : what_(what), log_(log), process_(process), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
        if (epoll_ < 0) throw std::system_error(errno, std::generic_category(), "epoll_create1");
        for (const std::string& uri : nodes)
            nodes_.emplace_back(redlock::node::parse_address(uri).port, key, process);
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            epoll_event e{};
            e.events = EPOLLIN;
            e.data.u64 = i;
            if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, nodes_[i].socket(), &e) != 0)
                throw std::system_error(errno, std::generic_category(), "epoll_ctl");
        }
    }
    bare_contest(const bare_contest&) = delete;
    bare_contest& operator=(const bare_contest&) = delete;
    ~bare_contest() { ::close(epoll_); }

    void run() {
        log_.page_of(process_).ready = true;
        while (log_.begin() == 0 || log_.begin() > now())
            pass(std::chrono::milliseconds(1));
        const double cpu_before = cpu_microseconds();
        const std::int64_t measured_from = log_.begin() + nanoseconds(what_.warm_up).count();
        const std::int64_t end = measured_from + nanoseconds(what_.duration).count();
        expense& spent = log_.page_of(process_).spent;
        for (std::uint64_t turn = process_; reaches(turn, end); turn += log_.processes()) {
            holding h{.asked = now(), .process = static_cast<std::uint32_t>(process_)};
            ask(bare_node::command::listen, bare_node::command::look);
            await([this] { return majority(&bare_node::was_released) || majority(&bare_node::was_free); });
            take();
            h.granted = now();
            log_.grants() = turn + 1;
            ask(bare_node::command::stop_listening);
            pass(what_.hold);
            h.released = now();
            if (h.granted >= measured_from && h.granted < end) log_.add(process_, h);
            ask(bare_node::command::release);
            await([this] { return majority(&bare_node::released); });
            ++spent.grants;
            // As the library does, away from the wire that the other one needs now.
            pass(what_.hold / 2);
        }
        for (const bare_node& n : nodes_)
            spent.commands += n.commands();
        spent.cpu_microseconds = cpu_microseconds() - cpu_before;
    }

private:
    static constexpr const char* key = "contended:bare";

    /// Whether the one before had the key, and it is not too late.
    bool reaches(std::uint64_t turn, std::int64_t end) {
        while (log_.grants() < turn && now() < end)
            pass(std::chrono::microseconds(100));
        return now() < end;
    }

    template <class... Commands>
    void ask(Commands... commands) {
        for (bare_node& n : nodes_)
            n.send({commands...});
    }

    // Where the one before is still on its way to a node, once more.
    void take() {
        for (const std::int64_t bound = now() + patience_ms * 1'000'000LL; !majority(&bare_node::granted);) {
            if (now() > bound) throw std::runtime_error("the key cannot be had");
            for (bare_node& n : nodes_)
                if (!n.granted()) n.send({bare_node::command::acquire});
            await([this] {
                return majority(&bare_node::granted) || std::ranges::all_of(nodes_, &bare_node::decided);
            });
        }
    }

    bool majority(bool (bare_node::*said)() const noexcept) const {
        return std::ranges::count_if(nodes_, said) > static_cast<std::ptrdiff_t>(nodes_.size() / 2);
    }

    template <class Predicate>
    void await(Predicate there) {
        while (!there())
            if (read(patience_ms) == 0)
                throw std::runtime_error(fmt::format("nobody said anything for {} ms", patience_ms));
    }

    /// Goes on reading meanwhile.
    void pass(nanoseconds time) {
        for (const std::int64_t end = now() + time.count();;) {
            const std::int64_t left = end - now();
            if (left <= 0) return;
            pollfd readable{epoll_, POLLIN, 0};
            const timespec bound{left / 1'000'000'000, left % 1'000'000'000};
            if (::ppoll(&readable, 1, &bound, nullptr) > 0) read(0);
        }
    }

    int read(int timeout_ms) {
        std::array<epoll_event, 16> events;
        const int ready = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), timeout_ms);
        for (int i = 0; i < ready; ++i)
            nodes_[events[static_cast<std::size_t>(i)].data.u64].read();
        return ready;
    }

    const scenario& what_;
    shared_log& log_;
    const std::size_t process_;
    int epoll_;
    std::vector<bare_node> nodes_;
};

} // namespace

void contend_bare(const scenario& what, const std::vector<std::string>& nodes, shared_log& log,
                  std::size_t process) {
    bare_contest c(what, nodes, log, process);
    c.run();
}

} // namespace bench
