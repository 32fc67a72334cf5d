#pragma once

#include "core/flow/admission_place.hpp"
#include "engine/contest.hpp"
#include "engines/etcd/claim.hpp"
#include "engines/etcd/inquiry.hpp"
#include "engines/etcd/rule/place.hpp"
#include "engines/etcd/rule/server_leases.hpp"
#include "engines/etcd/rule/transactions.hpp"
#include "engines/etcd/watcher.hpp"
#include "time/timer_queue.hpp"
#include "turn/live_list.hpp"
#include "turn/operation.hpp"

#include <redlock/detail/pool.hpp>

#include <optional>
#include <string>
#include <utility>

namespace redlock::etcd {

class acquire_call;
class etcd_engine;

/// One caller that wants a key: carries out what his place decides. Owns itself until it is over. While it
/// asks for the key, or whether it is the first, it is in the admission window.
class contest final : public engine::contest,
                      public turn::list_hook,
                      public detail::pooled,
                      private turn::operation,
                      private core::admission_place,
                      private tenant,
                      private key_watch,
                      private time::timer {
public:
    contest(etcd_engine& by, engine::wish&& w, engine::contest_listener& listener);

    void start() override;
    void cancel(errc why) noexcept override;

private:
    friend class acquire_call;
    friend class etcd_engine;
    ~contest();

    enum event : unsigned {
        lease_came = 1,
        answer_came = 2,
        watch_has_begun = 4,
        is_deleted = 8,
        time_has_passed = 16,
        lease_is_gone = 32,
        ends = 64,
        may_ask = 128,
        move_goes_on = 256,
        all = 511
    };
    using step = place::step;

    /// Its key gets under another lease, for the one that it is under is outlived.
    struct move final : tenant {
        move(server_lease_pointer to, contest& by) : target(std::move(to)), of(by) { target->join(*this); }
        void lease_lives() noexcept override { of.raise(move_goes_on); }
        void lease_failed(errc why) noexcept override {
            failure = why;
            of.raise(move_goes_on);
        }
        void lease_is_lost() noexcept override { lease_failed(errc::node_unavailable); }

        const server_lease_pointer target;
        contest& of;
        bool is_sent = false;
        std::optional<errc> failure; ///< of the lease
        std::optional<rewritten> answer;
    };

    void answer(const stand_answer& a, core::instant sent_at) noexcept;
    void failed(const stand_answer& a, const failure& why) noexcept;
    step next(unsigned events);
    step judge();
    step lease_answered();
    void perform(step s);
    bool has_to_queue(const step& s);
    server_lease_pointer lease_for_wish();
    bool lives(server_lease& one);
    void get_lease();
    void refresh();
    step lease_lost();
    void begin_move();
    step next_of_move();
    void send_move();
    void moved(const result& r) noexcept;
    step end_move(const rewritten& how);
    void arrive(bool for_sure);
    void ask();
    void confirm();
    void confirmed(const result& r) noexcept;
    void clean_up(place::remains behind);
    void take_grant();
    void refuse(errc why);
    void over() noexcept;
    void count(const verdict& v);
    bool lives_enough() const noexcept;

    void events_came() override;
    void lease_lives() noexcept override;
    void lease_failed(errc why) noexcept override;
    void lease_is_lost() noexcept override { raise(lease_is_gone); }
    void watch_began() noexcept override { raise(watch_has_begun); }
    void key_deleted() noexcept override { raise(is_deleted); }
    void expired(time::instant) noexcept override { raise(time_has_passed); }
    void let_in() noexcept override { raise(may_ask); }

    etcd_engine& engine_;
    engine::contest_listener& listener_;
    engine::wish wish_;
    place place_;
    claim_pointer claim_; ///< of the try under way, or the first
    stand where_;         ///< its key
    server_lease_pointer under_;
    std::string predecessor_{}; ///< its key
    acquire_call* call_ = nullptr;
    inquiry* inquiry_ = nullptr;
    std::optional<stand_answer> answer_;
    std::optional<move> move_;
    core::instant asked_at_{};
    bool awaits_lease_ = false;
    std::optional<errc> lease_failure_;
    errc failure_{}; ///< of the last try
    errc why_ended_{};
};

} // namespace redlock::etcd
