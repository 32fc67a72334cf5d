#pragma once

#include "core/flow/admission_window.hpp"
#include "engine/engine.hpp"
#include "engines/etcd/claim.hpp"
#include "engines/etcd/errands.hpp"
#include "engines/etcd/lease_keeper.hpp"
#include "engines/etcd/line/joint_calls.hpp"
#include "engines/etcd/line/line.hpp"
#include "engines/etcd/rule/key_names.hpp"
#include "engines/etcd/rule/try_names.hpp"
#include "engines/etcd/settings.hpp"
#include "engines/etcd/watcher.hpp"
#include "time/timer_queue.hpp"
#include "turn/live_list.hpp"

#include <redlock/observer.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::etcd {

namespace seam = redlock::engine;

class contest;

/// Grants keys in an etcd cluster: those who want a lock have a key each, under leases of the server, and the
/// oldest has the lock.
class etcd_engine final : public seam::engine, private line_listener, private time::timer {
public:
    etcd_engine(const strand& on, settings s, turn::turns& t);
    ~etcd_engine() override;

    turn::turns& turns() noexcept { return turns_; }
    turn::live_list<contest>& contests() noexcept { return contests_; }
    /// Of contests.
    core::admission_window& grants() noexcept { return grants_; }
    /// Of releases, which wait for no contest.
    core::admission_window& releases() noexcept { return releases_; }
    etcd::line& line() noexcept { return line_; }
    joint_calls& joint() noexcept { return joint_; }
    watcher& watches() noexcept { return watches_; }
    lease_keeper& keeper() noexcept { return keeper_; }
    server_leases& leases() noexcept { return keeper_.leases(); }
    const key_names& names() const noexcept { return names_; }
    redlock::observer* observer() const noexcept { return settings_.observer.get(); }
    const std::string& name() const noexcept { return name_; }
    /// Of the member in use; empty while it has not said so.
    const std::string& version() const noexcept { return version_; }
    /// From what it says of itself.
    void take_version(const result& status);
    /// This is a copy in a forked child.
    bool has_left() const noexcept { return left_; }
    /// It closes, and has waited for long enough.
    bool gives_up() const noexcept { return turns_.now() >= gives_up_at_; }

    /// For another try.
    stand new_stand(const claim& c);
    /// Of one who reads behind having written.
    stand new_downgraded_stand(const claim& c);
    /// Of a key: who its holder is, and its fencing token, where its revision is another; 0 where it is not.
    std::string value_of(std::uint64_t fencing_token) const;
    /// Nobody wants to know how it comes out.
    void give_back(stand where, const server_lease_pointer& under);
    /// Likewise of one that is held.
    void give_back(const claim& held);
    /// Nobody knows whether the key was written, or will be.
    void bury(stand where, const server_lease_pointer& under);
    /// Somebody else has removed its key.
    void holding_is_gone(const claim& held);
    /// Is asked for once there is room among the releases.
    void send(etcd::release& r);
    void forsake(forsaken& one) noexcept { forsaken_.push_back(one); }

    void count_refusal(bool held) noexcept { ++(held ? refusals_ : failures_); }
    void note_failure(const failure& why);
    /// Why nothing came of a request that failed.
    std::unique_ptr<cluster_failure> failure_of(errc why, const std::string& text = {}) const;
    /// The same as a sentence.
    std::string sentence_of(errc why, const std::string& text = {}) const;

    void start() override { line_.start(); }
    seam::claim_pointer claim_key(std::string_view prefix, seam::key_name&& key, bool fencing) override;
    seam::contest& contend(seam::wish&& w, seam::contest_listener& listener) override;
    seam::errand_pointer<> renew(seam::claim_pointer held, std::chrono::milliseconds life,
                                 std::uint64_t fencing_token, seam::renewal_listener& listener) override;
    seam::errand_pointer<> keep(seam::claim_pointer held, std::chrono::milliseconds life,
                                std::uint64_t fencing_token, seam::renewal_listener& listener) override;
    bool supports(redlock::mode) const noexcept override { return true; }
    bool downgrades() const noexcept override { return true; }
    seam::errand_pointer<> downgrade(seam::claim_pointer held, seam::claim_pointer reading,
                                     std::chrono::milliseconds life,
                                     seam::renewal_listener& listener) override;
    seam::errand_pointer<> advance_token(const seam::claim_pointer& held,
                                         seam::token_listener& listener) override;
    bool has_leaders() const noexcept override { return true; }
    seam::errand_pointer<> proclaim(const seam::claim_pointer& held, std::uint64_t term, std::string value,
                                    seam::proclamation_listener& listener) override;
    void release(seam::claim_pointer held, core::instant keys_end, turn::outcome_waiters&& told,
                 bool lost) override;
    void look_for_others(seam::claim_pointer held, seam::others_listener& listener) override;

    seam::question_pointer check(std::string full_key, std::uint64_t fencing_token,
                                 seam::answer_listener<seam::no_report>& listener) override;
    seam::question_pointer inspect(std::string full_key,
                                   seam::answer_listener<key_report>& listener) override;
    bool lists() const noexcept override { return true; }
    seam::question_pointer list(std::string beginning, std::size_t most,
                                seam::answer_listener<key_list>& listener) override;
    seam::question_pointer observe(std::string full_key, leader_mark known,
                                   seam::answer_listener<leader_info>& listener) override;
    seam::question_pointer remove(key_report shown, seam::answer_listener<break_report>& listener) override;
    seam::question_pointer examine(seam::answer_listener<std::vector<node_examination>>& listener) override;

    void before_routines() noexcept override {}
    bool send_what_waits(bool) noexcept override;
    void after_routines() noexcept override {}
    bool has_unwritten() const noexcept override { return !joint_.is_empty() || line_.has_unwritten(); }
    bool is_busy() const noexcept override { return joint_.has_several() || line_.has_several(); }
    void flush() noexcept override;
    void begin_closing() noexcept override;
    bool quiet() const noexcept override;
    void stop(std::function<void()> ended) override;
    void leave() noexcept override;
    void fail_all() override;
    void disconnect() noexcept override;
    void abandon() noexcept override;
    void report(metrics_snapshot& to) const override;

private:
    void tell(bool ready, const std::string& why) noexcept;
    void lease_lost(const server_lease& lost);
    bool is_left_to(server_lease& under) const noexcept;
    void disconnect_line() noexcept;
    void ask_version();

    void line_serves() override;
    void line_lost(errc why, const std::string& text) override;
    void expired(time::instant) noexcept override {} // the turn looks whether it is quiet by now

    std::optional<strand> strand_; ///< nothing once the executor's context is gone
    const settings settings_;
    const std::string name_;
    const key_names names_;
    turn::turns& turns_;
    try_names tries_;
    core::admission_window grants_;
    core::admission_window releases_;
    turn::live_list<contest> contests_;
    turn::live_list<etcd::release> held_back_; ///< until there is room
    turn::live_list<forsaken> forsaken_;
    etcd::line line_;
    joint_calls joint_;
    watcher watches_;
    lease_keeper keeper_;
    core::instant gives_up_at_ = core::instant::max(); ///< while it closes
    bool closing_ = false;
    bool left_ = false;
    bool was_connected_ = false;
    std::optional<bool> told_ready_; ///< to the observer
    errc last_error_{};
    std::string last_text_;
    std::string version_;
    std::uint64_t refusals_ = 0;
    std::uint64_t failures_ = 0;
    std::uint64_t disconnects_ = 0;
};

} // namespace redlock::etcd
