#pragma once

#include "core/flow/admission_place.hpp"
#include "engine/contest.hpp"
#include "engines/zookeeper/claim.hpp"
#include "engines/zookeeper/folder_look.hpp"
#include "engines/zookeeper/rule/place.hpp"
#include "engines/zookeeper/watches.hpp"
#include "time/timer_queue.hpp"
#include "turn/live_list.hpp"
#include "turn/operation.hpp"

#include <redlock/detail/pool.hpp>

#include <optional>
#include <string>
#include <vector>

namespace redlock::zookeeper {

class zookeeper_engine;

/// One caller that wants a key: carries out what its place decides. Owns itself until it is over. From when
/// it asks until it is at rest it is in the admission window.
class contest final : public engine::contest,
                      public turn::list_hook,
                      public detail::pooled,
                      public node_watch,
                      private turn::operation,
                      private core::admission_place,
                      private time::timer {
public:
    contest(zookeeper_engine& by, engine::wish&& w, engine::contest_listener& listener);

    void start() override;
    void cancel(errc why) noexcept override;

    void watched_changed() noexcept override;
    /// Its node, if it had one, went with the session.
    void session_expired() noexcept;

private:
    friend class zookeeper_engine;
    ~contest();

    enum event : unsigned {
        goes_on = 1,
        time_has_passed = 2,
        ends = 4,
        was_granted = 8,
        lost_session = 16,
        may_ask = 32,
        all = 63
    };
    using step = place::step;

    void events_came() override;
    void expired(time::instant) noexcept override { raise(time_has_passed); }
    void let_in() noexcept override { raise(may_ask); }
    void perform(const step& s);
    bool has_to_queue(const step& s);
    void go_on_with(step s) noexcept;
    void fail(errc why);
    void look();
    void looked(const folder_look::outcome& o);
    void make_folder();
    void queue();
    void queued(const reply& r);
    void watch(const std::string& name);
    void take_at_once();
    void take();
    void take_to_read();
    void taken(const reply& r, std::size_t node_at);
    void was_taken(const std::vector<operation_result>& answers, std::size_t node_at);
    void start_anew(bool gives_up);
    void stop_watching() noexcept;
    std::string record_text() const;
    void pass_on_grant();
    void refuse(errc why);
    void over() noexcept;

    zookeeper_engine& engine_;
    engine::contest_listener& listener_;
    engine::wish wish_;
    place place_;
    claim_pointer claim_; ///< of the try under way, or the first
    folder_look look_;
    awaited_call call_;
    sight seen_;
    missing missing_; ///< of what was seen
    std::optional<step> next_;
    step held_back_{}; ///< while it is queued for its place in the window
    std::string watched_;
    core::instant granted_at_{}; ///< when the record was sent
    errc failure_{};             ///< of the last try
    errc why_ended_{};
};

} // namespace redlock::zookeeper
