// Who leads, once that differs from what is known.

#include "core/election/leader_record.hpp"
#include "core/election/observation.hpp"
#include "engines/etcd/questions/question_call.hpp"
#include "engines/etcd/watcher.hpp"
#include "time/timer_queue.hpp"

#include <redlock/leader_info.hpp>

#include <utility>

namespace redlock::etcd {

namespace {

/// Looks at the key of what is proclaimed, and watches it from when the server hears of that: no look and no
/// watch goes back in time, so nothing of it can be too old for the cluster to remember.
class observe_question final : public cluster_question<leader_info>, private key_watch, private time::timer {
public:
    observe_question(etcd_engine& of, const std::string& full_key, const leader_mark& known,
                     seam::answer_listener<leader_info>& told)
        : cluster_question(of, told), key_(of.names().leader(full_key)), observation_(known) {}

    void start() override {
        engine().watches().watch_all(*this, key_);
        perform(observation_.start());
    }
    void client_closes() noexcept override { tell(errc::closed); }

private:
    void perform(const core::observation::step& s) {
        if (s.what == core::observation::action::go_on) return;
        disarm();
        if (s.what == core::observation::action::look) look();
        if (s.what == core::observation::action::wait) engine().turns().timers().arm(*this, s.until);
    }

    void look() {
        ask(methods::range, request_of(messages::range_request{.key = key_}), [this](const result& r) {
            errc why{};
            const auto read = read_reply_of<messages::range_result>(r, why);
            if (read) return saw(read->content);
            if (told_as(why) != errc::no_quorum) return tell(why); // which waiting does not cure
            perform(observation_.unanswered(engine().turns().now()));
        });
    }

    void saw(const messages::range_result& is) {
        const core::instant now = engine().turns().now();
        leader_info found{.value = {}, .mark = observation_.mark_of_nobody()};
        if (!is.found.empty()) {
            auto proclaimed = core::read_leader_record(is.found.front().value);
            if (!proclaimed)
                return refuse(errc::protocol_error,
                              "has something that is no record of a leader where that belongs");
            found = std::move(*proclaimed);
        }
        const auto s = found.present ? observation_.found(found.mark, now) : observation_.found_nobody(now);
        if (s.what == core::observation::action::tell) return tell(std::move(found));
        perform(s);
    }

    void watch_began() noexcept override { perform(observation_.changed()); }
    void key_deleted() noexcept override {}
    void key_changed() noexcept override { perform(observation_.changed()); }
    void expired(time::instant) noexcept override { perform(observation_.time_passed()); }

    const std::string key_;
    core::observation observation_;
};

} // namespace

seam::question_pointer etcd_engine::observe(std::string full_key, leader_mark known,
                                            seam::answer_listener<leader_info>& listener) {
    return seam::question_pointer(new observe_question(*this, full_key, known, listener));
}

} // namespace redlock::etcd
