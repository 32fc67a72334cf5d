#pragma once

#include "core/random.hpp"
#include "etcd/model/store.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace redlock::etcd::model {

class client;

/// Virtual time, a network that loses and delays, the cluster, and clients that want one lock. Everything
/// follows from the seed.
class world {
public:
    world(std::uint64_t seed, mistake planted);
    ~world();

    /// Until all is over. What went wrong first; empty when nothing did.
    std::string run();

    unsigned grants() const noexcept { return grants_; }
    unsigned proclamations() const noexcept { return proclamations_; }

    core::instant now() const noexcept { return now_; }
    core::random& draws() noexcept { return draws_; }
    bool has(mistake m) const noexcept { return planted_ == m; }
    bool is_calm() const noexcept { return calm_; }
    store& cluster() noexcept { return store_; }
    void at(core::instant when, std::function<void()> what) { events_.emplace(when, std::move(what)); }

    /// A request to the cluster: it arrives once, or never, perhaps long after it was given up. `answered`
    /// runs with its effect, or does not.
    void ask(client& by, std::function<std::function<void()>()> effect, std::function<void()> given_up);
    /// The key is watched for that client, by that number.
    void watch(client& by, std::string key, int number);

    /// What the leader proclaims is watched for that client, by that number.
    void watch_leader(client& by, int number);

    // The checker.
    void granted(client& by, const std::string& key, std::int64_t token);
    void told(const leader_mark& before, const leader_mark& now);
    void fail(const std::string& what) {
        if (failure_.empty()) failure_ = what;
    }

    bool chance(double p) { return draws_.fraction() < p; }
    core::nanoseconds between(core::nanoseconds a, core::nanoseconds b) { return draws_.between(a, b); }

private:
    struct watched {
        client* by;
        int number;
    };
    core::nanoseconds delay();
    void disturb();
    void change_leader();
    void tell_watchers(const std::string& key);
    void look_at_the_first();
    void look_at_observers();
    void lead_changed();
    void look_at_the_lead();
    void settle();

    core::random draws_;
    const mistake planted_;
    core::instant now_{std::chrono::hours(1)};
    std::multimap<core::instant, std::function<void()>> events_;
    store store_;
    std::vector<std::unique_ptr<client>> clients_;
    std::multimap<std::string, watched> watches_;
    std::vector<watched> leader_watches_;
    bool calm_ = false;
    unsigned grants_ = 0;
    unsigned proclamations_ = 0;
    leader_mark last_mark_;
    core::instant lead_since_{}, calm_since_{};
    std::string failure_;
    std::int64_t last_created_ = 0; ///< of those who had it, and for reading alone
    std::int64_t last_token_ = 0;
    std::int64_t last_written_ = 0; ///< likewise of those who wrote
    std::int64_t last_writing_token_ = 0;
    std::string first_;
    core::instant first_since_{};
};

} // namespace redlock::etcd::model
