// Who leads, once that differs from what is known.

#include "core/election/leader_record.hpp"
#include "core/election/observation.hpp"
#include "engines/zookeeper/rule/key_folder.hpp"
#include "engines/zookeeper/zookeeper_engine.hpp"
#include "time/timer_queue.hpp"
#include "turn/outcome.hpp"

#include <redlock/leader_info.hpp>

#include <utility>

namespace redlock::zookeeper {

namespace {

/// Looks at the node of what is proclaimed, and asks with each look to be told when that changes: what a
/// session is shown never goes back, so nothing falls between two looks.
class observe_question final : public seam::question,
                               public detail::pooled,
                               private node_watch,
                               private time::timer {
public:
    observe_question(zookeeper_engine& of, const std::string& full_key, const leader_mark& known,
                     seam::answer_listener<leader_info>& told)
        : engine_(of),
          path_(leader_path(of.root() + "/" + folder_name(full_key))),
          observation_(known),
          told_(told) {}

    void start() override { perform(observation_.start(), true); }
    void let_go() noexcept override { delete this; }
    void client_closes() noexcept override { told_.told(make_error_code(errc::closed), {}); }

private:
    using action = core::observation::action;

    ~observe_question() { engine_.watched_nodes().remove(path_, *this); }

    /// `syncs`: a server that tells of a change has it; another may be behind, or cut off.
    void perform(const core::observation::step& s, bool syncs) {
        if (s.what == action::go_on) return;
        disarm();
        if (s.what == action::look) look(syncs);
        if (s.what == action::wait) engine_.turns().timers().arm(*this, s.until);
    }

    void look(bool syncs) {
        // Whatever it answers, what follows is asked behind it.
        if (syncs) engine_.servers().submit(sync(path_), nullptr);
        watch();
        call_.wait_for(engine_.servers().submit(get_data(path_, true), [this](const reply& r) {
            call_.is_over();
            if (r.what == reply::kind::refused && r.said == fault::no_node) return look_for_a_beginning();
            const auto read = r.is_done() ? read_data(r.body) : std::nullopt;
            if (!read) return was_not_answered(r);
            auto proclaimed = core::read_leader_record(read->data);
            if (!proclaimed) return refuse_foreign();
            const auto s = observation_.found(proclaimed->mark, engine_.turns().now());
            if (s.what == action::tell) return told_.told({}, std::move(*proclaimed));
            perform(s, false);
        }));
    }

    // Only so the servers tell of a node that is not there yet.
    void look_for_a_beginning() {
        call_.wait_for(engine_.servers().submit(exists(path_, true), [this](const reply& r) {
            call_.is_over();
            if (r.is_done()) return look(false);
            if (r.what != reply::kind::refused || r.said != fault::no_node) return was_not_answered(r);
            const auto s = observation_.found_nobody(engine_.turns().now());
            if (s.what == action::tell)
                return told_.told({}, leader_info{.value = {}, .mark = observation_.mark_of_nobody()});
            perform(s, false);
        }));
    }

    void watch() {
        engine_.watched_nodes().remove(path_, *this);
        engine_.watched_nodes().add(path_, *this);
    }

    void was_not_answered(const reply& r) {
        const errc why = r.is_done() ? errc::protocol_error : meaning_of(r);
        if (told_as(why) == errc::no_quorum) // which may pass
            return perform(observation_.unanswered(engine_.turns().now()), false);
        fail(why);
    }
    void refuse_foreign() {
        engine_.note(errc::protocol_error, "keeps something else in the place of what the leader proclaims");
        fail(errc::protocol_error, errc::protocol_error);
    }
    void fail(errc why) { fail(why, told_as(why)); }
    void fail(errc why, errc told) {
        const auto more = engine_.failure_of(why);
        told_.told(turn::code_of(told), {}, more.get());
    }

    void watched_changed() noexcept override { perform(observation_.changed(), false); }
    void expired(time::instant) noexcept override { perform(observation_.time_passed(), true); }

    zookeeper_engine& engine_;
    const std::string path_;
    core::observation observation_;
    seam::answer_listener<leader_info>& told_;
    awaited_call call_;
};

} // namespace

seam::question_pointer zookeeper_engine::observe(std::string full_key, leader_mark known,
                                                 seam::answer_listener<leader_info>& listener) {
    return seam::question_pointer(new observe_question(*this, full_key, known, listener));
}

} // namespace redlock::zookeeper
