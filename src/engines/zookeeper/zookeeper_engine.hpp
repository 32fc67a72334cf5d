#pragma once

#include "core/entropy.hpp"
#include "core/flow/admission_window.hpp"
#include "core/lock_token.hpp"
#include "engine/engine.hpp"
#include "engines/zookeeper/claim.hpp"
#include "engines/zookeeper/departure.hpp"
#include "engines/zookeeper/errands.hpp"
#include "engines/zookeeper/held/proclamations.hpp"
#include "engines/zookeeper/held/renewals.hpp"
#include "engines/zookeeper/held/tenure.hpp"
#include "engines/zookeeper/rule/absences.hpp"
#include "engines/zookeeper/session/joint_calls.hpp"
#include "engines/zookeeper/session/session.hpp"
#include "engines/zookeeper/settings.hpp"
#include "engines/zookeeper/watches.hpp"
#include "time/timer_queue.hpp"
#include "turn/live_list.hpp"

#include <redlock/observer.hpp>

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::zookeeper {

namespace seam = redlock::engine;
using strand = session::strand;

class contest;

/// Grants keys that are folders of one ZooKeeper ensemble.
class zookeeper_engine final : public seam::engine,
                               private session_listener,
                               private tenure_listener,
                               private time::timer {
public:
    zookeeper_engine(const strand& on, settings s, turn::turns& t);
    ~zookeeper_engine() override;

    turn::turns& turns() noexcept { return turns_; }
    session& servers() noexcept { return servers_; }
    /// For the transactions of contests and departures.
    joint_calls& joint() noexcept { return joint_; }
    turn::live_list<contest>& contests() noexcept { return contests_; }
    /// Of contests.
    core::admission_window& grants() noexcept { return grants_; }
    /// Of departures, which wait for no contest.
    core::admission_window& departing() noexcept { return departing_; }
    watches& watched_nodes() noexcept { return watches_; }
    proclamations& what_is_proclaimed() noexcept { return proclamations_; }
    /// Its holder is to know.
    void key_is_gone(const claim& of) noexcept;
    absences& absent() noexcept { return absences_; }
    redlock::observer* observer() const noexcept { return settings_.observer.get(); }
    const std::string& holder_label() const noexcept { return settings_.holder_label; }
    const std::string& name() const noexcept { return name_; }
    const std::string& root() const noexcept { return settings_.ensemble.root; }
    access access_of_nodes() const noexcept {
        return servers_.is_logged_in() ? access::maker : access::everybody;
    }
    std::string path_of(const claim& c) const { return root() + "/" + c.folder(); }
    /// The folder of a key, and those above it, which may be there already, unless they are known to be.
    call& make_folder(const std::string& path, call::handler told);
    /// When last somebody needed it.
    bool root_is_there() const noexcept { return root_is_there_; }
    void set_root_is_there(bool is) noexcept { root_is_there_ = is; }
    /// For another try.
    claim_pointer claim_anew(const claim& before);
    /// Nobody wants to know how it comes out.
    void give_back(claim_pointer c, bool lost = false, turn::outcome_waiters&& told = {});
    void begin_tenure(claim_pointer c, core::instant until) { tenures_.begin(std::move(c), until); }
    void prolong_tenure(const claim& c, core::instant until) { tenures_.prolong(c, until); }
    /// It was left to another process, or closes: what was not done stays undone.
    bool has_left() const noexcept { return left_; }
    void count_refusal(bool held) noexcept { ++(held ? refusals_ : failures_); }
    /// What was wrong last: continues the name of the ensemble.
    void note(errc why, const std::string& text);
    /// Why nothing came of a request that failed.
    std::unique_ptr<ensemble_failure> failure_of(errc why) const;
    std::string sentence_of(errc why) const;

    void start() override { servers_.start(); }
    seam::claim_pointer claim_key(std::string_view prefix, seam::key_name&& key, bool fencing) override;
    seam::contest& contend(seam::wish&& w, seam::contest_listener& listener) override;
    bool supports(redlock::mode) const noexcept override { return true; }
    bool downgrades() const noexcept override { return true; }
    seam::errand_pointer<> downgrade(seam::claim_pointer held, seam::claim_pointer reading,
                                     std::chrono::milliseconds life,
                                     seam::renewal_listener& listener) override;
    seam::errand_pointer<> renew(seam::claim_pointer held, std::chrono::milliseconds life,
                                 std::uint64_t fencing_token, seam::renewal_listener& listener) override;
    seam::errand_pointer<> advance_token(const seam::claim_pointer& held,
                                         seam::token_listener& listener) override;
    void release(seam::claim_pointer held, core::instant keys_end, turn::outcome_waiters&& told,
                 bool lost) override;
    bool has_leaders() const noexcept override { return true; }
    seam::errand_pointer<> proclaim(const seam::claim_pointer& held, std::uint64_t term, std::string value,
                                    seam::proclamation_listener& listener) override;
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
    void after_routines() noexcept override { servers_.after_routines(); }
    bool has_unwritten() const noexcept override {
        return servers_.has_unwritten() ||
               (servers_.serves() && !(renewals_.is_empty() && joint_.is_empty()));
    }
    bool is_busy() const noexcept override { return servers_.has_several() || joint_.has_several(); }
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
    core::lock_token draw_token();
    void tell(bool ready, const std::string& why) noexcept;

    void session_serves() override;
    void connection_lost(errc why, const std::string& text) override;
    void session_expired() override;
    void node_changed(const std::string& path) override;
    void tenure_ended(claim_pointer of) override { give_back(std::move(of)); }
    void expired(time::instant) noexcept override {} // the turn looks whether it is quiet by now

    const settings settings_;
    const std::string name_;
    turn::turns& turns_;
    const core::client_name client_;
    core::admission_window grants_;
    core::admission_window departing_;
    turn::live_list<contest> contests_;
    turn::live_list<departure> departures_;
    std::list<folder_look> looks_; ///< for others who wait
    watches watches_;
    absences absences_;
    session servers_;
    joint_calls joint_;
    renewals renewals_;
    proclamations proclamations_;
    tenures tenures_;
    core::instant gives_up_at_ = core::instant::max(); ///< while it closes
    bool left_ = false;
    bool root_is_there_ = false;
    std::optional<bool> told_ready_; ///< to the observer
    errc last_error_{};
    std::string last_text_;
    std::uint64_t refusals_ = 0;
    std::uint64_t failures_ = 0;
    std::uint64_t disconnects_ = 0;
};

} // namespace redlock::zookeeper
