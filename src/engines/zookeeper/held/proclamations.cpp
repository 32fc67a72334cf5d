#include "engines/zookeeper/held/proclamations.hpp"

#include "engines/zookeeper/zookeeper_engine.hpp"

#include <memory>
#include <utility>

namespace redlock::zookeeper {

namespace {

using action = statement::action;
using answer = statement::answer;

// Of a transaction: that the holder's node is there, and what is done with the other.
constexpr std::size_t of_holder = 0;

/// Nothing where it was not done for a reason that asking at once again does not cure.
std::optional<answer> answer_in(const reply& r) {
    const auto all = r.is_done() ? read_multi(r.body) : std::nullopt;
    if (r.is_in_doubt() || (r.is_done() && !all)) return answer::unknown;
    const fault failed = all ? fault_in(*all) : r.said;
    if (all && failed == fault::none) return answer::done;
    if (failed == fault::no_node && all)
        return first_fault(*all) == of_holder ? answer::key_gone : answer::node_gone;
    if (failed == fault::node_exists) return answer::node_there;
    if (failed == fault::bad_version) return answer::changed;
    return std::nullopt;
}

} // namespace

proclamation::proclamation(zookeeper_engine& by, claim_pointer held, engine::proclamation_listener& told)
    : operation(by.turns().ready()), of(std::move(held)), engine_(by), told_(told) {
    await(1);
}

void proclamation::decide(engine::outcome how, errc why) noexcept {
    unlink();
    outcome_ = how;
    why_ = why;
    raise(1);
}

// Whoever asked may let go of this when it is told.
void proclamation::events_came() {
    const auto more = outcome_ == engine::outcome::inconclusive ? engine_.failure_of(why_) : nullptr;
    is_telling_ = true;
    told_.proclaimed(outcome_, told_as(why_), more.get());
    is_telling_ = false;
    if (is_let_go_) delete this;
}

void proclamation::let_go() noexcept {
    is_let_go_ = true;
    if (!is_telling_) delete this;
}

engine::errand_pointer<> proclamations::add(claim_pointer held, std::uint64_t term, std::string_view value,
                                            engine::proclamation_listener& told) {
    auto* const asked = new proclamation(engine_, std::move(held), told);
    engine::errand_pointer<> kept(asked);
    holding& has = asked->of->has();
    if (has.node.empty() || !has.granted || has.given_back) {
        asked->decide(engine::outcome::gone);
        return kept;
    }
    if (!has.says) has.says = std::make_shared<statement>();
    has.says->proclaim(term, value);
    asked->mark = has.says->mark();
    waiting_.push_back(*asked);
    go_on(asked->of);
    return kept;
}

void proclamations::again(const claim_pointer& of) {
    if (!of->has().says) return;
    of->has().says->again();
    go_on(of);
}

void proclamations::go_on(const claim_pointer& of) {
    const holding& has = of->has();
    if (has.given_back) return;
    statement& says = *has.says;
    if (says.key_is_gone()) {
        decide_all(*of, engine::outcome::gone);
        return engine_.key_is_gone(*of);
    }
    confirm(*of);
    if (says.is_obstructed()) {
        engine_.note(errc::protocol_error, "keeps something else in the place of what the leader proclaims");
        return decide_all(*of, engine::outcome::inconclusive, errc::protocol_error);
    }
    switch (const action what = says.next()) {
    case action::nothing:
        return;
    case action::look:
        return look(of);
    default:
        send(of, what);
    }
}

void proclamations::send(const claim_pointer& of, action what) {
    const statement& says = *of->has().says;
    const std::string leader = leader_path(engine_.path_of(*of));
    multi m;
    m.check(of->has().node);
    if (what == action::make)
        m.create(leader, says.record(), life_of_node::ephemeral, engine_.access_of_nodes());
    else if (what == action::write)
        m.set_data(leader, says.record(), says.version());
    else
        m.check(leader, says.version());
    engine_.servers().submit(m.finish(), [this, of](const reply& r) { was_answered(of, r); });
}

// Of what is not known to stand the next renewal makes sure.
void proclamations::was_answered(const claim_pointer& of, const reply& r) {
    statement& says = *of->has().says;
    const auto told = answer_in(r);
    if (told)
        says.answered(*told);
    else
        says.not_done();
    if (told && *told != answer::unknown) return go_on(of);
    const errc why = r.is_done() ? errc::protocol_error : meaning_of(r);
    decide_all(*of, engine::outcome::inconclusive, why);
}

void proclamations::look(const claim_pointer& of) {
    const std::string leader = leader_path(engine_.path_of(*of));
    engine_.servers().submit(get_data(leader, false), [this, of](const reply& r) {
        statement& says = *of->has().says;
        const auto read = r.is_done() ? read_data(r.body) : std::nullopt;
        const bool is_missing = r.what == reply::kind::refused && r.said == fault::no_node;
        if (read)
            says.seen(read->state.version, read->state.owner == of->has().session, read->data);
        else if (is_missing)
            says.answered(answer::node_gone);
        else
            says.not_done();
        if (read || is_missing) return go_on(of);
        const errc why = r.is_done() ? errc::protocol_error : meaning_of(r);
        decide_all(*of, engine::outcome::inconclusive, why);
    });
}

void proclamations::confirm(const claim& of) noexcept {
    for (auto at = waiting_.begin(); at != waiting_.end();) {
        proclamation& each = *at++;
        if (each.of.get() == &of && of.has().says->stands(each.mark)) each.decide(engine::outcome::confirmed);
    }
}

void proclamations::decide_all(const claim& of, engine::outcome how, errc why) noexcept {
    for (auto at = waiting_.begin(); at != waiting_.end();) {
        proclamation& each = *at++;
        if (each.of.get() == &of) each.decide(how, why);
    }
}

} // namespace redlock::zookeeper
