#pragma once

#include "sim/event_queue.hpp"
#include "sim/trace.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::sim {

/// What a run may be held to, which depends on what went wrong in it.
struct promises {
    bool exclusion = true;
    bool fencing = true;
};

/// Follows the life of every lock operation and of every lease, and writes down each breach of an invariant
/// (docs/design.md, "Invariants"). It knows the true time, and asks leases for what they say of themselves.
class checker {
public:
    using operation = std::uint64_t;

    /// What the caller sees of its lease.
    struct lease_view {
        std::function<bool()> valid;
        std::function<bool()> stop_requested;
        std::function<bool()> attentive; ///< the process runs, and has for a moment
        std::function<nanoseconds()> remaining;
        std::string token;
        nanoseconds ttl;
        bool renews; ///< for as long as it is held, and with the same ttl
        /// Others that read may have it as well. One for writing may become one of those.
        std::function<bool()> reads = [] { return false; };
        std::string name{};      ///< of what nobody else may have: the key, or one of its permits
        unsigned permits = 1;    ///< so many may have the key
        std::uint64_t owner = 0; ///< other leases of whom are of the same grant; 0 stands for nobody
    };
    struct renewed_lease {
        operation of;
        std::uint32_t client;
        std::string_view key;
        const lease_view* lease;
    };

    checker(const event_queue& events, trace& t, promises p) : events_(events), trace_(t), promises_(p) {}

    operation began(std::uint32_t client, const std::string& key);
    void granted(operation op, lease_view lease);
    /// Its grant, of which was told, carries this fencing token, which it began to ask for then.
    void fenced(operation op, std::uint64_t token, nanoseconds began);
    void not_granted(operation op, const std::string& why);
    void acquire_over(operation op);
    /// The caller gave the lease back.
    void gave_back(operation op);
    /// It asks for its key to be kept.
    void begins_to_keep(operation op);
    /// It was told that it is: until then nobody else is granted it.
    void keeps(operation op, nanoseconds until);
    void keeps_not(operation op) { kept_.erase(op); }
    /// It is to get another ttl.
    void extended(operation op) { of(op).lease.renews = false; }
    /// A call on the lease was made, or completed.
    void asked(operation op) { ++of(op).unanswered; }
    void answered(operation op);
    /// Its process is gone.
    void died(std::uint32_t client);

    /// To be called whenever anything may have changed.
    void look();
    /// Every operation must have ended.
    void expect_rest(std::uint32_t client);
    /// Whether the client has an operation at the key that waits, or a lease.
    bool is_busy_with(std::uint32_t client, const std::string& key) const;
    bool waits_for(std::uint32_t client, const std::string& key) const;
    /// Those that are held and renewed with the ttl they were asked for, lost ones among them. Valid until
    /// anything happens.
    std::vector<renewed_lease> renewing() const;
    /// When the client was last busy with the key.
    nanoseconds last_busy_with(std::uint32_t client, const std::string& key) const;

    void breach(std::string what);
    const std::vector<std::string>& breaches() const noexcept { return breaches_; }
    std::uint64_t grants() const noexcept { return grants_; }

private:
    enum class phase { waiting, holding, refused };
    struct state {
        std::uint32_t client;
        std::string key;
        sim::checker::phase phase = phase::waiting;
        bool over = false;
        bool given_back = false;
        int unanswered = 0;
        bool is_valid = false; ///< as of the last look
        lease_view lease{};
        std::optional<nanoseconds> unstopped_since{}; ///< invalid, and nobody told to stop
    };

    state& of(operation op);
    void look_at(operation op, state& s);
    void look_for_others(operation op, const state& s);
    void look_at_other(operation op, const state& s, operation other_op, const state& other);
    static bool is_held(const state& s) noexcept { return s.phase == phase::holding && !s.given_back; }
    void look_at_kept(operation granted, const std::string& key);
    void forget_if_ended(operation op);

    const event_queue& events_;
    trace& trace_;
    promises promises_;
    operation next_ = 1;
    std::map<operation, state> running_;
    std::map<std::pair<std::uint32_t, std::string>, nanoseconds> busy_at_;
    struct fenced_grant {
        nanoseconds completed;
        std::uint64_t highest; ///< of all until then
    };
    struct kept_key {
        std::string key;
        std::optional<nanoseconds> until{};         ///< once it is sure to be kept
        std::map<operation, nanoseconds> granted{}; ///< to others before that
    };
    std::map<operation, kept_key> kept_;
    struct fences {
        std::map<std::uint64_t, std::uint64_t> tokens; ///< and to which owner each was given
        std::vector<fenced_grant> grants;
    };
    std::map<std::string, fences> fences_;
    std::vector<std::string> breaches_;
    std::uint64_t grants_ = 0;
};

} // namespace redlock::sim
