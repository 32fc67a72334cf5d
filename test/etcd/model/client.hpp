#pragma once

#include "core/election/observation.hpp"
#include "core/entropy.hpp"
#include "engines/etcd/rule/place.hpp"
#include "engines/etcd/rule/server_leases.hpp"
#include "engines/etcd/rule/try_names.hpp"
#include "etcd/model/world.hpp"

#include <list>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace redlock::etcd::model {

/// A client with one caller after the other, who wants the lock, holds it for a while and gives it back: what
/// `place` and `server_leases` decide is carried out over the network of the world.
class client final : private tenant, private core::entropy {
public:
    client(world& in, int number);

    void start();
    /// It is stopped, and goes on later; or it is gone for good.
    void stop(core::instant until) { stopped_until_ = until; }
    void die() { dead_ = true; }
    bool is_dead() const noexcept { return dead_; }
    /// Nobody else comes, and the last gives it back.
    void finish() { finishing_ = true; }
    bool is_done() const noexcept { return dead_ || (!place_ && debts_ == 0); }
    /// By its own clock, whether or not it runs.
    bool believes() const { return held_ && world_.now() < valid_until(); }
    bool believes_to_write() const { return believes() && !reads_; }
    bool has_key(const std::string& key) const noexcept { return place_ && key == key_; }
    void close();

    /// What comes to it, once it runs.
    void later(core::nanoseconds after, std::function<void()> what);
    void key_deleted(int watch);
    void watch_began(int watch);
    void connection_lost();
    void leader_watch_began(int watch);
    void leader_changed(int watch);
    /// It lives, and wants to know who leads.
    bool observes() const noexcept { return !dead_ && observation_; }
    /// What it was told last; of term 0 that nobody leads.
    const leader_mark& knows() const noexcept { return leader_; }
    /// Of this try the cluster is not reached, in either direction.
    bool loses_requests = false;
    bool loses_answers = false;

private:
    static constexpr std::chrono::seconds ttl{2};

    /// Its key gets under another lease.
    struct move final : tenant {
        move(server_lease_pointer to, client& by) : target(std::move(to)), of(by) { target->join(*this); }
        void lease_lives() noexcept override { of.send_move(); }
        void lease_failed(errc) noexcept override { of.not_moved(); }
        void lease_is_lost() noexcept override { of.not_moved(); }

        const server_lease_pointer target;
        client& of;
        bool is_sent = false;
        bool is_new = false; ///< the key was never to be moved under that one before
    };

    struct occupant final : tenant {
        occupant(const server_lease_pointer& its, client& by) : lease(its), of(by) { lease->join(*this); }
        void lease_lives() noexcept override {}
        void lease_failed(errc) noexcept override {}
        void lease_is_lost() noexcept override { of.lose(); }

        const server_lease_pointer lease;
        client& of;
    };

    core::instant valid_until() const { return under_->sent_at(asked_at_, ttl) + ttl - drift(); }
    static core::nanoseconds drift() { return std::chrono::milliseconds(22); }
    void fill(std::span<std::uint8_t> out) override {
        for (std::uint8_t& byte : out)
            byte = static_cast<std::uint8_t>(world_.draws()());
    }

    void want();
    void perform(place::step s);
    void get_lease();
    void serve_leases();
    void grant(const server_lease_pointer& one);
    void revoke(const server_lease_pointer& one);
    void keep_alive(const server_lease_pointer& one);
    void kept_alive(const server_lease_pointer& one, const store::kept& kept);
    void proven(const server_lease_pointer& one, std::uint64_t term);
    void lives(server_lease& one);
    void unanswered(server_lease& one);
    void await(const server_lease_pointer& one);
    void refresh();
    void begin_move();
    void send_move();
    void moved(const store::answer& a);
    void not_moved();
    void lose();
    void live_under(const server_lease_pointer& other);
    void ask();
    void confirm();
    void watch();
    void wait_until(core::instant when);
    void clean_up(place::remains behind);
    try_name new_name();
    /// The name serves again once that was answered; nothing where an earlier request may arrive yet.
    void remove(const std::string& key, std::int64_t term, const try_name& name);
    void bury(const std::string& key, const try_name& name, const server_lease_pointer& under);
    void take();
    void give_back_after(core::nanoseconds time);
    void hold_on();
    void downgrade();
    void downgraded(const try_name& reading, std::int64_t created);
    void lead();
    void proclaim();
    void observe();
    void follow(const core::observation::step& s);
    void look_who_leads();
    void saw(const leader_mark& proclaimed);
    void end();
    void answered(const store::answer& a, core::instant sent_at);
    void raise(place::step s) { perform(s); }

    void lease_lives() noexcept override;
    void lease_failed(errc) noexcept override;
    void lease_is_lost() noexcept override;

    world& world_;
    const int number_;
    server_leases leases_;
    std::optional<place> place_;
    try_names names_;
    try_name name_;
    int generation_ = 0; ///< of the step under way: older timers and answers mean nothing
    std::string key_, predecessor_;
    std::int64_t created_ = 0, modified_ = 0, inner_ = 0;
    server_lease_pointer under_;
    std::optional<move> move_;
    std::list<occupant> doubted_; ///< leases under which its key may be
    std::int64_t written_ = 0;    ///< the revision of its key
    core::instant asked_at_{};
    int watch_ = 0;
    bool awaits_lease_ = false;
    std::uint64_t term_ = 0; ///< of the cluster, as it was proven last
    bool held_ = false;
    bool reads_ = false; ///< what it wants or holds
    bool leads_ = false; ///< with what it holds
    std::uint64_t version_ = 0;
    std::optional<core::observation> observation_;
    leader_mark leader_; ///< that it was told of last
    leader_mark known_, last_told_;
    int leader_watch_ = 0;
    int observing_ = 0; ///< of the step under way, as `generation_`
    int debts_ = 0;
    bool finishing_ = false;
    bool dead_ = false;
    core::instant stopped_until_{};
};

} // namespace redlock::etcd::model
