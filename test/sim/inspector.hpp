#pragma once

#include "sim/checker.hpp"
#include "sim/network.hpp"
#include "sim/process.hpp"
#include "sim/server.hpp"
#include "sim/weather.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace redlock::sim {

/// Looks at the servers from outside, with no delay, and compares what is there with what the clients are
/// about: that nothing stays behind (I4), that nobody sleeps while the key is to be had (I5), and that
/// nothing piles up (I7).
class inspector final : public server_observer {
public:
    using servers = std::vector<std::unique_ptr<server>>;
    using processes = std::vector<std::unique_ptr<process>>; ///< by client; null while there is none

    inspector(const event_queue& events, trace& t, network& net, const weather& w, checker& c,
              const servers& all, const processes& clients);

    static constexpr nanoseconds interval = std::chrono::milliseconds(5);
    /// To be called at that interval.
    void look();
    // What clients say of their leases.
    void granted(std::uint32_t client, std::string_view key);
    /// The last time that the client was granted the key.
    nanoseconds granted_at(std::uint32_t client, const std::string& key) const {
        const auto found = granted_at_.find({client, key});
        return found == granted_at_.end() ? nanoseconds(0) : found->second;
    }
    void renewed(std::uint32_t client, std::string_view key);
    void handed_over(std::uint32_t client, std::string_view key);
    /// The holder of the lease with this token was told that others can have the key, whose name is complete.
    void given_back(std::uint32_t client, const std::string& key, std::string_view token) {
        given_back(client, key, token, events_.now());
    }
    /// Likewise, where it asked for that then.
    void given_back(std::uint32_t client, const std::string& key, std::string_view token, nanoseconds asked);
    /// A third party is about to change the key there.
    void tampered(const server& at, const std::string& key) {
        tampered_at_[{at.index(), key}] = events_.now();
    }

    /// It is the master of a group now, and may lack what its predecessor did last.
    void promoted(const server& at);

    /// Whether a master that was replaced may be believed to be one still: what it says is seen by nobody
    /// here.
    bool may_be_deceived() const;
    /// Whether a third party has changed the key anywhere a short while ago.
    bool was_tampered_with(std::string_view key) const;
    /// Whether a client runs undisturbed, and has for two intervals, and so does a majority of the
    /// servers and the way to each of them.
    bool majority_calm_for(std::uint32_t client) const;
    /// Whether those servers have the key with this token.
    bool majority_calm_for(std::uint32_t client, std::string_view key, std::string_view token) const;

    /// The client has just closed: it has given everything back.
    void expect_given_back(process& by);
    /// Nobody locks any more, and everything had the time to run out.
    void expect_nothing_left();

    /// How long it may take until the last command of something that has ended is executed.
    nanoseconds settling_time() const noexcept;

private:
    /// Null for a token of a process that is gone, and for what is none.
    const process* owner_of(std::string_view token) const;
    struct writing {
        std::uint64_t by = 0; ///< the identity of a process
        bool on_left_connection = false;
        std::string token{}; ///< empty while there is no key
        nanoseconds at{-1};
        bool by_others = false; ///< prolonged by a third party: it outlives what its owner owes the node
        nanoseconds prolonged_at{-1}; ///< by a command that found it there
    };
    using place = std::pair<std::uint32_t, std::string>; ///< a server or a client, and a key

    void key_changed(const server& at, std::string_view event, const std::string& key,
                     const connection* by) override;
    void executes(const server& at, const connection& from, const words& command) override;
    void key_asked_for(std::uint32_t client, const std::string& key) override;

    bool is_calm(const process& p, const server& s) const;
    template <class Condition>
    bool majority_calm_where(std::uint32_t client, Condition holds) const;
    bool has_run_out(process& writer, const server& s, const std::string& key) const;
    /// As users call it.
    const std::string& name_of(const std::string& key) const {
        const auto found = asked_for_as_.find(key);
        return found == asked_for_as_.end() ? key : found->second;
    }
    void look_for_leftovers(const server& s, const std::string& key);
    void look_for_sleepers(const process& p, const std::string& key);

    const event_queue& events_;
    trace& trace_;
    network& network_;
    const weather& weather_;
    checker& checker_;
    const servers& servers_;
    const processes& processes_;
    std::vector<std::string> plain_keys_; ///< each for one holder, and for all who wait
    std::vector<std::string> keys_;       ///< those, and what else is deleted once nobody needs it
    std::map<std::string, std::string> asked_for_as_; ///< those of permits
    std::map<place, writing> written_;
    std::map<place, nanoseconds> tampered_at_;
    std::optional<nanoseconds> promoted_at_;      ///< the last of any group
    std::map<place, nanoseconds> granted_at_;     ///< by client
    std::map<place, nanoseconds> confirmed_at_;   ///< by client: the last grant or renewal
    std::map<place, nanoseconds> handed_over_at_; ///< by client
    std::map<place, nanoseconds> asked_at_;
    std::map<place, nanoseconds> available_since_; ///< by client: the key, on a majority
    std::map<std::string, nanoseconds> changed_at_;
    std::map<place, nanoseconds> freed_at_; ///< by the client that had it
};

} // namespace redlock::sim
