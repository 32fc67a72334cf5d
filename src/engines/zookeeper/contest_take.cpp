// How a contest takes the key when its place is the first.

#include "core/validity.hpp"
#include "engines/zookeeper/admission.hpp"
#include "engines/zookeeper/contest.hpp"
#include "engines/zookeeper/errands.hpp"
#include "engines/zookeeper/zookeeper_engine.hpp"

#include <algorithm>
#include <utility>

namespace redlock::zookeeper {

namespace {

// Of those that others have left behind, in one transaction.
constexpr std::size_t most_marks_removed = 16;
// Which operation of a reader's take tells its number; the one before makes the mark.
constexpr std::size_t number_of_reader = 2;

/// Marks, and what a leader has proclaimed. A take that another one has come before is as good as one of what
/// has changed since.
void remove_what_is_stale(multi& to, const std::string& folder, const sight& s, const missing& known,
                          core::instant now) {
    for (const std::string& name : stale_marks(s, known, now, most_marks_removed))
        to.remove(folder + "/" + name);
    if (s.has_leader) to.remove(leader_path(folder));
}

} // namespace

std::string contest::record_text() const {
    const lock_record r{
        .token = std::string(claim_->token()), .life = wish_.life, .label = engine_.holder_label()};
    return r.text();
}

void contest::take_at_once() {
    const std::string folder = engine_.path_of(*claim_);
    multi m;
    m.set_data(folder, record_text(), seen_.version)
        .create(folder + "/" + place_name(claim_->token()), {}, life_of_node::ephemeral_in_sequence,
                engine_.access_of_nodes());
    if (seen_.has_leader) m.remove(leader_path(folder));
    claim_->has().doubt = seen_.version;
    call_.wait_for(engine_.joint().submit(folder, std::move(m), [this](const reply& r) { taken(r, 1); }));
}

void contest::take() {
    if (claim_->reads()) return take_to_read();
    const std::string folder = engine_.path_of(*claim_);
    multi m;
    m.set_data(folder, record_text(), seen_.version).check(claim_->has().node);
    remove_what_is_stale(m, folder, seen_, missing_, engine_.turns().now());
    claim_->has().doubt = seen_.version;
    call_.wait_for(engine_.joint().submit(folder, std::move(m), [this](const reply& r) { taken(r, 0); }));
}

// Should it be done late, there is no node any more that it could be done with: nothing is in doubt that the
// end of that node does not undo.
void contest::take_to_read() {
    const std::string folder = engine_.path_of(*claim_);
    multi m;
    if (seen_.is_shared)
        m.check(folder, seen_.version);
    else
        m.set_data(folder, shared_record, seen_.version);
    // Only a write tells the number of the transaction.
    const std::string mark = folder + "/" + mark_name(claim_->token(), wish_.life);
    const std::string text = mark_text({.label = engine_.holder_label()});
    m.create(mark, text, life_of_node::persistent, engine_.access_of_nodes())
        .set_data(mark, text, any_version);
    m.check(claim_->has().node);
    remove_what_is_stale(m, folder, seen_, missing_, engine_.turns().now());
    call_.wait_for(engine_.joint().submit(folder, std::move(m), [this](const reply& r) { taken(r, 0); }));
}

/// `node_at`: of which operation the node comes; 0 where it is there already.
void contest::taken(const reply& r, std::size_t node_at) {
    call_.is_over();
    learn(window(), r.what, r.sent_at, engine_.turns().now());
    holding& has = claim_->has();
    const auto answers = r.is_done() ? read_multi(r.body) : std::nullopt;
    const fault failed = r.is_done() ? answers ? fault_in(*answers) : fault::none : r.said;
    const std::size_t tells = claim_->reads() ? number_of_reader : 0;
    const bool was_done =
        answers && failed == fault::none && answers->size() > tells && (*answers)[tells].state;
    if (was_done) {
        was_taken(*answers, node_at);
        granted_at_ = r.sent_at;
        return raise(was_granted);
    }
    if (r.is_in_doubt() || (r.is_done() && failed == fault::none)) {
        start_anew(true);
        return fail(r.is_done() ? errc::protocol_error : meaning_of(r));
    }
    has.doubt.reset();
    switch (failed) {
    case fault::bad_version:
    case fault::no_node: // what was seen has gone
        return go_on_with(place_.came_second());
    default:
        fail(meaning_of({.what = r.is_done() ? reply::kind::refused : r.what, .said = failed, .why = r.why}));
    }
}

void contest::was_taken(const std::vector<operation_result>& answers, std::size_t node_at) {
    holding& has = claim_->has();
    has.doubt.reset();
    has.granted = true;
    has.life = wish_.life;
    has.session = engine_.servers().number();
    if (claim_->reads()) {
        has.mark = answers[number_of_reader - 1].path;
        has.fence = static_cast<std::uint64_t>(answers[number_of_reader].state->modified);
        return;
    }
    has.version = answers.front().state->version;
    has.fence = static_cast<std::uint64_t>(answers.front().state->modified);
    if (node_at != 0) has.node = answers[node_at].path;
}

void contest::pass_on_grant() {
    const claim_pointer granted = claim_;
    engine::grant given{.claim = granted,
                        .sent_at = granted_at_,
                        .ttl = wish_.ttl,
                        .fencing_token = wish_.fencing ? granted->has().fence : 0,
                        .had_to_wait = place_.has_waited()};
    engine_.begin_tenure(granted, core::saturating_add(granted_at_, wish_.life));
    if (listener_.takes(std::move(given))) return over();
    start_anew(true);
    fail(errc::node_timeout);
    await(all);
}

} // namespace redlock::zookeeper
