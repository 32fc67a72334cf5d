// Who leads, once that differs from what is known.

#include "core/election/leader_knowledge.hpp"
#include "core/election/leader_sight.hpp"
#include "core/election/next_look.hpp"
#include "core/mistake.hpp"
#include "engines/redis/examine/questions.hpp"
#include "engines/redis/node/cluster/hash_slot.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/rounds/round.hpp"
#include "engines/redis/rounds/round_failure.hpp"
#include "engines/redis/watch/key_ear.hpp"
#include "engines/redis/watch/watches.hpp"
#include "time/timer_queue.hpp"
#include "turn/operation.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace redlock::redis {

namespace {

/// Looks at all nodes, one look after the other: when something was told, when a node came or went, and when
/// it is time to.
class observe_question final : public node_question,
                               private round,
                               private key_ear,
                               private turn::operation,
                               private time::timer {
public:
    observe_question(redis::quorum& q, std::string&& full_key, const leader_mark& known,
                     engine::answer_listener<leader_info>& listener)
        : node_question(q),
          round(q),
          operation(q.ready()),
          full_key_(std::move(full_key)),
          plain_name_(full_key_ + std::string(claim::leader_suffix)),
          last_(known),
          known_(known),
          listener_(listener),
          sight_(q.nodes()) {
        ::redlock::node::name_beside(tagged_name_, full_key_, claim::leader_suffix);
    }

private:
    enum kind : std::uint32_t { value, life, arming, subscribing };
    static constexpr unsigned is_due = 1;

    redis::quorum& on() const noexcept { return round::quorum_; }

    void start() override {
        on().key_watches().add(plain_name_, *this);
        if (tagged_name_ != plain_name_) on().key_watches().add(tagged_name_, *this);
        for (const std::uint32_t index : on().every_node())
            subscribe(index);
        look();
    }

    void look() {
        timer::disarm();
        forget(is_due);
        rests_ = false;
        sight_ = core::leader_sight(on().nodes());
        plan_ = {};
        one_more(); // so that it is there when all was sent
        begin(on().nodes());
        for (const std::uint32_t index : on().every_node())
            ask(index);
        end_of_sending();
        one_less();
    }

    void ask(std::uint32_t index) {
        session& s = on().session_of(index);
        encoder& by = on().encoder();
        if (s.wakeup() == wakeup::client_tracking && !deaf_.has(index))
            sent(tag(index, arming), s.send(caching_command(by), to(index, arming)));
        sent(tag(index, value), s.send(leader_command(by, full_key_), to(index, value)));
        sent(tag(index, life), s.send(leader_life_command(by, full_key_), to(index, life)));
    }

    static reply_tag tag(std::uint32_t index, kind what) noexcept { return reply_tag::of(index, what); }
    addressee to(std::uint32_t index, kind what) noexcept {
        return {.receiver = this, .tag = tag(index, what), .deadline = on().deadline()};
    }

    void answered(reply_tag t, const resp::reply& reply) override {
        const std::uint32_t index = t.node();
        switch (t.kind<kind>()) {
        case value:
            return take(index, read_leader(reply));
        case life:
            if (const life_answer said = read_life(reply); said.what == life_answer::kind::limited)
                plan_.value_left = std::max(plan_.value_left, core::saturating_nanoseconds(said.left));
            return;
        case arming:
            if (reply.is(resp::kind::error)) deaf_.add(index);
            return;
        case subscribing:
            if (reply.is(resp::kind::error) || !reply.first().next().text().ends_with(name_at(index)))
                telling_.remove(index);
            else if (on().session_of(index).listens_apart())
                raise(is_due); // nothing is certain before the subscription stands
        }
    }

    void take(std::uint32_t index, const leader_answer& said) {
        switch (said.what) {
        case leader_answer::kind::none:
            sight_.found_nothing();
            return vote(index, core::vote::no);
        case leader_answer::kind::leader:
            sight_.found(index, said.mark);
            if (sight_.highest_at() == index) value_ = said.value;
            return vote(index, core::vote::yes);
        case leader_answer::kind::error:
            sight_.failed();
            return said.error.words.empty() ? fail(index, said.error.meaning) : fail(index, said.error);
        }
    }

    void unanswered(reply_tag t, errc why) noexcept override {
        if (t.kind<kind>() == subscribing) telling_.remove(t.node());
        if (t.kind<kind>() != value) return;
        sight_.failed();
        fail(t.node(), why);
    }

    core::verdict judge() const noexcept override {
        switch (sight_.decide()) {
        case core::leader_sight::verdict::leads:
            return core::verdict::granted;
        case core::leader_sight::verdict::nobody:
            return core::verdict::refused;
        case core::leader_sight::verdict::unreachable:
            return core::verdict::unreachable;
        default:
            return core::verdict::open;
        }
    }

    void decided() noexcept override {
        if (is_let_go()) return;
        leads_ = verdict() == core::verdict::granted;
        if (verdict() == core::verdict::granted && is_news())
            return listener_.told({},
                                  {.value = std::move(value_), .mark = sight_.highest(), .present = true});
        if (verdict() == core::verdict::refused && known_.nobody_is_news())
            return listener_.told({}, {.value = {}, .mark = known_.mark_of_nobody(), .present = false});
        plan_.is_answered = verdict() != core::verdict::unreachable;
        const errc why = failure();
        if (plan_.is_answered || why == errc::no_quorum || why == errc::node_quarantined) return;
        const round_failure more(on(), *this); // which waiting does not cure
        listener_.told(make_error_code(why), {}, &more);
    }

    bool is_news() const noexcept {
        const bool differs = planted(core::mistake::older_leader_told) && sight_.highest() != last_;
        return differs || known_.is_news(sight_.highest());
    }

    /// Nothing of the last look is under way any more.
    void all_settled() noexcept override {
        if (is_let_go()) return end_if_done();
        plan_.is_told = tells_of_majority();
        on().timers().arm(*this, core::saturating_add(on().now(), plan_.pause()));
        if (!std::exchange(rests_, true)) await(is_due);
    }
    bool is_settled() const noexcept override { return settled(); }

    bool tells_of_majority() const noexcept {
        unsigned telling = 0;
        for (const std::uint32_t index : on().every_node()) {
            const session& s = on().session_of(index);
            const bool tracks = s.wakeup() == wakeup::client_tracking && !deaf_.has(index);
            telling += s.is_ready() && (tracks || telling_.has(index));
        }
        return telling >= core::majority(on().nodes());
    }

    std::string_view name_at(std::uint32_t index) const noexcept {
        return on().session_of(index).tags_keys() ? tagged_name_ : plain_name_;
    }

    void subscribe(std::uint32_t index) {
        session& s = on().session_of(index);
        if (!s.is_ready() || is_let_go()) return;
        if (s.wakeup() == wakeup::automatic) on().key_watches().find_out(index);
        if (s.wakeup() != wakeup::keyspace_events || telling_.has(index)) return;
        telling_.add(index);
        listening_.add(index);
        sent(tag(index, subscribing),
             s.send(subscribe_command(on().encoder(), name_at(index)), to(index, subscribing)));
    }

    // From the nodes. Whatever it is, the next look shows it.
    void listen(std::uint32_t index) override {
        deaf_.remove(index);
        subscribe(index);
        raise(is_due);
    }
    void changed(std::uint32_t, key_change::kind what) override {
        // A leader that is there was renewed: of another one more would be told.
        if (what != key_change::kind::dated || !leads_) raise(is_due);
    }
    void node_down(std::uint32_t index) override { deafened(index); }
    void deafened(std::uint32_t index) override {
        telling_.remove(index);
        raise(is_due);
    }
    bool hears(std::uint32_t index) const noexcept override { return listening_.has(index); }

    void expired(time::instant) noexcept override { raise(is_due); }
    void events_came() noexcept override { look(); }

    void client_closes() noexcept override { listener_.told(make_error_code(errc::closed), {}); }

    void ended() noexcept override {
        close();
        timer::disarm();
        stop_waiting();
        watches& all = on().key_watches();
        all.remove(plain_name_, *this);
        if (tagged_name_ != plain_name_) all.remove(tagged_name_, *this);
        if (!on().has_nodes()) return;
        for (const std::uint32_t index : std::exchange(listening_, {})) {
            if (all.is_heard_by_another(name_at(index), *this, index)) continue;
            on().session_of(index).send(
                unsubscribe_command(on().encoder(), name_at(index)),
                {.receiver = nullptr, .tag = {}, .deadline = on().deadline(), .cleanup = true});
        }
    }

    const std::string full_key_;
    const std::string plain_name_;
    std::string tagged_name_; ///< where servers want it in the slot of the key
    const leader_mark last_;  ///< that is known
    const core::leader_knowledge known_;
    engine::answer_listener<leader_info>& listener_;
    core::leader_sight sight_;
    core::look_plan plan_;
    std::string value_;        ///< with the highest mark
    core::node_set listening_; ///< where it has subscribed, which a connection that is late still has
    core::node_set telling_;   ///< on whose news it relies
    core::node_set deaf_;      ///< that cannot tell of what was read
    bool rests_ = false;       ///< until it is due
    bool leads_ = false;       ///< somebody, as the last look found
};

} // namespace

engine::question_pointer make_observation(quorum& q, std::string full_key, leader_mark known,
                                          engine::answer_listener<leader_info>& listener) {
    return engine::question_pointer(new observe_question(q, std::move(full_key), known, listener));
}

} // namespace redlock::redis
