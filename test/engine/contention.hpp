#pragma once

#include "support/event_loop.hpp"

#include <redlock/client.hpp>

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace redlock::test {

/// Clients that contend for two keys while something befalls their servers, all in one thread, so that at any
/// moment one can look at all leases at once.
class contention {
public:
    struct terms {
        std::size_t clients;
        std::chrono::milliseconds wait; ///< of each call
        std::chrono::milliseconds ttl{1500};
        bool reading = false; ///< a third of the calls
        std::chrono::milliseconds node_timeout{300};
        std::chrono::milliseconds longest_calm{1200}; ///< between what befalls them
    };

    contention(event_loop& loop, terms t) : loop_(loop), terms_(t), clients_(t.clients) {}

    /// What one does without another word to its servers when it has been there before: it goes away with all
    /// that it has.
    void connect(std::size_t i, config c);
    int between(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
    std::size_t below(std::size_t count) {
        return static_cast<std::size_t>(between(0, static_cast<int>(count) - 1));
    }

    /// Lets them contend for so long, and calls `disturb` now and then.
    void run(std::chrono::milliseconds time, const std::function<void()>& disturb);
    /// From within `disturb`: nothing else befalls them until this was made good, `bound` later at the
    /// latest.
    void make_good_within(std::chrono::milliseconds bound, std::function<void()> repair);
    /// Behind `run`, and once all is as it should be: lets them go on for a while, ends and closes them, and
    /// checks what they have seen.
    void end();

private:
    struct holding {
        std::string key;
        bool reads;
        lease granted;
    };
    using clock = std::chrono::steady_clock;

    boost::asio::awaitable<void> use(std::size_t of, std::string key);
    void granted(const std::string& key, bool reads, const lease& l);
    void look();
    void make_good();
    void close(client& c);

    event_loop& loop_;
    const terms terms_;
    const unsigned seed_ = std::random_device{}();
    std::mt19937 random_{seed_};
    std::vector<std::optional<client>> clients_;
    std::list<holding> held_;
    std::map<std::string, std::uint64_t> highest_, highest_to_write_;
    std::function<void()> repair_;
    clock::time_point repair_at_{};
    std::size_t running_ = 0, grants_ = 0, readings_ = 0, overlaps_ = 0, disorder_ = 0;
    bool over_ = false;
};

} // namespace redlock::test
