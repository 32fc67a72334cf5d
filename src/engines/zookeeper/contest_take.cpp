// How a contest takes the key when its place is the first.

#include "core/validity.hpp"
#include "engines/zookeeper/contest.hpp"
#include "engines/zookeeper/errands.hpp"
#include "engines/zookeeper/zookeeper_engine.hpp"

#include <algorithm>
#include <utility>

namespace redlock::zookeeper {

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
    claim_->has().doubt = seen_.version;
    call_.wait_for(engine_.servers().submit(m.finish(), [this](const reply& r) { taken(r, 1); }));
}

void contest::take() {
    multi m;
    m.set_data(engine_.path_of(*claim_), record_text(), seen_.version).check(claim_->has().node);
    claim_->has().doubt = seen_.version;
    call_.wait_for(engine_.servers().submit(m.finish(), [this](const reply& r) { taken(r, 0); }));
}

/// `node_at`: of which operation the node comes; 0 where it is there already.
void contest::taken(const reply& r, std::size_t node_at) {
    call_.is_over();
    holding& has = claim_->has();
    const auto all = r.is_done() ? read_multi(r.body) : std::nullopt;
    const fault failed = r.is_done() ? all ? fault_in(*all) : fault::none : r.said;
    const bool was_done = all && failed == fault::none && all->size() == 2 && all->front().state;
    if (was_done) {
        has.doubt.reset();
        has.granted = true;
        has.version = all->front().state->version;
        has.fence = static_cast<std::uint64_t>(all->front().state->modified);
        has.life = wish_.life;
        if (node_at != 0) has.node = (*all)[node_at].path;
        has.session = engine_.servers().number();
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
    await(goes_on | ends);
}

} // namespace redlock::zookeeper
