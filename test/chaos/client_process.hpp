#pragma once

#include "chaos/client_terms.hpp"
#include "chaos/history.hpp"
#include "chaos/news.hpp"

#include <redlock/redlock.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace redlock::chaos {

inline constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

/// The life of a client of the chaos: takes locks and writes under them until its input ends, then gives
/// everything back.
class client_process {
public:
    /// The log must live as long.
    client_process(history& log, std::size_t number, unsigned seed, const client_terms& terms,
                   std::vector<std::string> nodes);

    void run();

private:
    /// A lease that is written under.
    struct written {
        lease* held;
        std::uint32_t key;
        const lease* twin = nullptr; ///< another of the same owner, which is valid as long
        hold* record = nullptr;
        bool reads = false;
    };

    /// Cancels what is under way once a time is over, while this lives.
    struct impatience {
        std::shared_ptr<asio::cancellation_signal> cancel;
        asio::steady_timer timer;
    };

    config settings(std::vector<std::string> nodes) const;
    int between(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
    bool in(int chance) { return between(1, 100) <= chance; }
    asio::awaitable<void> wait_for_the_end();
    bool all_nodes_are_ready() const;
    asio::awaitable<void> sleep(int from, int to);
    /// Until at most so many milliseconds are over; most wait for longer than anything takes.
    impatience any_impatience(int longest);

    /// Takes what `begin` asks for, or gives up, or is cancelled; it is empty then.
    template <class Held, class Begin>
    asio::awaitable<Held> acquire(Begin begin);
    asio::awaitable<lease> acquire_one(std::string key, lock_options options);
    asio::awaitable<leadership> acquire_lead(std::string value, lock_options options);
    asio::awaitable<lease_set> acquire_all(std::vector<std::string> wanted, lock_options options);
    /// Downgrades it, or fails, or is cancelled.
    asio::awaitable<bool> becomes_a_reader(lease& held);
    lock_options any_options();
    std::uint32_t any_single_key() { return static_cast<std::uint32_t>(between(0, single_keys - 1)); }

    asio::awaitable<void> take_turns();
    asio::awaitable<void> take_one();
    asio::awaitable<void> take_twice();
    asio::awaitable<void> take_permit();
    asio::awaitable<void> take_shared();
    asio::awaitable<void> take_to_keep();
    asio::awaitable<void> take_lead();
    asio::awaitable<void> take_several();
    /// Leases that would outlive the whole run: the one key of this client is gone in the end only if all
    /// that was ever taken was given back.
    asio::awaitable<void> take_long_leases();
    /// Observes who leads, where there are leaders, until the client is closed.
    asio::awaitable<void> follow();

    bool is_valid(const written& what);
    bool are_valid(const std::vector<written>& all);
    /// Makes a record of each. False when one is not valid any more, or there is no space.
    bool begin_to_write(std::vector<written>& all, std::int64_t asked);
    /// For a while, or until one is not valid any more.
    asio::awaitable<void> go_on_writing(const std::vector<written>& all);
    void touch(const written& what);
    /// Those that read may come in, unless it fails.
    asio::awaitable<void> downgrade(written& what);
    /// Unlocks what was taken with that time as `lock_options::keep`.
    asio::awaitable<void> keep(written& what, std::chrono::milliseconds time);

    history& log_;
    const std::size_t number_;
    std::mt19937 random_;
    asio::io_context loop_{1};
    std::shared_ptr<news> news_;
    const client_terms terms_;
    client locks_;
    asio::posix::stream_descriptor input_;
    bool over_ = false;
    int ended_ = 0;
};

} // namespace redlock::chaos
