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
        hold* record;
        bool reads = false;
    };

    config settings(std::vector<std::string> nodes) const;
    int between(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
    bool in(int chance) { return between(1, 100) <= chance; }
    asio::awaitable<void> wait_for_the_end();
    bool all_nodes_are_ready() const;
    asio::awaitable<void> sleep(int from, int to);

    /// Takes what `begin` asks for, or gives up, or is cancelled; it is empty then.
    template <class Held, class Begin>
    asio::awaitable<Held> acquire(Begin begin);
    asio::awaitable<lease> acquire_one(std::string key, lock_options options);
    asio::awaitable<leadership> acquire_lead(std::string value, lock_options options);
    asio::awaitable<lease_set> acquire_all(std::vector<std::string> wanted, lock_options options);
    lock_options any_options();

    asio::awaitable<void> take_turns();
    asio::awaitable<void> take_one();
    asio::awaitable<void> take_permit();
    asio::awaitable<void> take_shared();
    asio::awaitable<void> take_lead();
    asio::awaitable<void> take_several();
    /// Leases that would outlive the whole run: the one key of this client is gone in the end only if all
    /// that was ever taken was given back.
    asio::awaitable<void> take_long_leases();
    /// Observes who leads, where there are leaders, until the client is closed.
    asio::awaitable<void> follow();
    asio::awaitable<void> write_under(std::vector<written> all, std::int64_t asked);
    void touch(const written& what);

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
