#pragma once

#include "sim/checker.hpp"
#include "sim/entropy.hpp"
#include "sim/event_queue.hpp"
#include "sim/inspector.hpp"
#include "sim/lead_watch.hpp"
#include "sim/nemesis.hpp"
#include "sim/network.hpp"
#include "sim/process.hpp"
#include "sim/renewal_watch.hpp"
#include "sim/scout.hpp"
#include "sim/server.hpp"
#include "sim/slot_cluster.hpp"
#include "sim/trace.hpp"
#include "sim/watched_group.hpp"
#include "sim/weather.hpp"

#include <boost/asio/execution_context.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace redlock::sim {

/// What came of a run.
struct outcome {
    std::vector<std::string> breaches; ///< of invariants; none if all is well
    std::uint64_t digest = 0;          ///< of the trace
    std::uint64_t steps = 0;
    std::uint64_t grants = 0;
};

/// Servers, network and clients, from the first connection to the last. One at a time on a thread.
class world final : private victim {
public:
    /// Everything follows from the seed. The trace is printed to `out`, unless that is null.
    explicit world(std::uint64_t seed, std::FILE* out = nullptr) : world(seed, weather(seed), out) {}
    /// Likewise, in other weather than that of the seed.
    world(std::uint64_t seed, sim::weather w, std::FILE* out = nullptr);
    world(const world&) = delete;
    world& operator=(const world&) = delete;
    ~world();

    outcome run();

private:
    void reset(std::uint32_t client, std::uint32_t server) override;
    void cut(std::uint32_t client, std::uint32_t server, bool there, bool back,
             nanoseconds how_long) override;
    void stop_server(std::uint32_t server, nanoseconds how_long) override;
    void crash_server(std::uint32_t server, nanoseconds how_long, bool with_data) override;
    void jump_server_clock(std::uint32_t server, nanoseconds by) override;
    void stop_client(std::uint32_t client, nanoseconds how_long) override;
    void suspend_client(std::uint32_t client, nanoseconds how_long) override;
    void kill_client(std::uint32_t client, nanoseconds how_long) override;
    void end_client(std::uint32_t client, nanoseconds how_long) override;
    void fail_over(std::uint32_t server) override;
    void give_slots_away(std::uint32_t server) override;
    void blind(std::uint32_t client, nanoseconds how_long) override;
    /// Of the servers that say who is the master of a node.
    std::vector<std::uint32_t> places_of_witnesses(std::uint32_t server) const;
    void cut_place(std::uint32_t client, std::uint32_t place, direction d, nanoseconds how_long);
    void tamper(std::uint32_t server, const words& command) override;

    void start_client(std::uint32_t client);
    void disturb(std::uint32_t server);
    void mend();
    /// Lets time pass; false when `reached` did not come true in it.
    template <class Condition>
    bool pass(nanoseconds how_long, Condition reached);
    bool all_rest() const;
    void close_all();
    void inspect();

    dice dice_;
    entropy tokens_;
    const sim::weather weather_;
    boost::asio::execution_context context_;
    event_queue events_;
    trace trace_;
    network network_;
    checker checker_;
    lead_watch leaders_;
    std::vector<std::unique_ptr<server>> servers_;
    std::vector<std::unique_ptr<process>> processes_; ///< by client
    inspector inspector_;
    renewal_watch renewals_;
    nemesis nemesis_;
    scout scout_;
    dice fates_; ///< of groups and clusters
    std::vector<std::unique_ptr<watched_group>> groups_;
    std::vector<std::unique_ptr<slot_cluster>> clusters_;
    nanoseconds no_newcomers_before_{0}; ///< who does not know whose slots they were may believe anything
    bool mended_ = false;
    int at_this_instant_ = 0; ///< steps
};

} // namespace redlock::sim
