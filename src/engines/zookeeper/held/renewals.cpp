#include "engines/zookeeper/held/renewals.hpp"

#include "core/validity.hpp"
#include "engines/zookeeper/rule/lock_record.hpp"
#include "engines/zookeeper/wire/limits.hpp"
#include "engines/zookeeper/zookeeper_engine.hpp"

#include <algorithm>
#include <utility>

namespace redlock::zookeeper {

namespace {

constexpr std::size_t operations_of_one = 3;
// Of paths: what is asked for in one packet stays within what a server takes.
constexpr std::size_t largest_bundle = largest_request / 2;

lock_record record_of(const claim& c, std::chrono::milliseconds life, std::uint64_t fence,
                      const std::string& label) {
    return {.token = std::string(c.token()), .life = life, .fence = fence, .label = label};
}

} // namespace

std::string renewals::mark_path(const claim& c, std::chrono::milliseconds life) const {
    return engine_.path_of(c) + "/" + mark_name(c.token(), life);
}

void renewals::send() {
    while (!waiting_.empty())
        send_bundle();
}

void renewals::send_bundle() {
    auto all = std::make_shared<bundle>();
    std::vector<std::size_t> owners; // of each operation: which renewal it is of
    multi m;
    while (!waiting_.empty() && m.size() + operations_of_one <= most_operations &&
           m.bytes() < largest_bundle) {
        renewal& r = waiting_.front();
        waiting_.pop_front();
        const holding& has = r.of->has();
        if (has.node.empty() || !has.granted || has.given_back) {
            r.answer(engine::outcome::gone, {}, {}, nullptr);
            continue;
        }
        m.check(has.node);
        owners.push_back(all->size());
        if (r.life > has.life && r.of->reads()) {
            // Its name tells the life, so it is another mark, which is not to be a new token.
            m.remove(has.mark).create(mark_path(*r.of, r.life),
                                      mark_text({.fence = has.fence, .label = engine_.holder_label()}),
                                      life_of_node::persistent, engine_.access_of_nodes());
            owners.insert(owners.end(), 2, all->size());
        } else if (r.life > has.life) {
            const lock_record longer = record_of(*r.of, r.life, has.fence, engine_.holder_label());
            m.set_data(engine_.path_of(*r.of), longer.text(), has.version);
            owners.push_back(all->size());
        }
        r.sent = true;
        r.over = has.version;
        all->emplace_back(&r);
    }
    if (all->empty()) return;
    engine_.servers().submit(
        m.finish(), [this, all, owners = std::move(owners)](const reply& r) { answered(*all, owners, r); });
}

void renewals::note_longer_life(const renewal& longer, const operation_result& done) noexcept {
    holding& has = longer.of->has();
    if (done.state) has.version = done.state->version;
    if (!done.path.empty()) has.mark = done.path;
    if (done.state || !done.path.empty()) has.life = longer.life;
}

void renewals::answered(bundle& all, const std::vector<std::size_t>& owners, const reply& r) {
    const auto results = r.is_done() ? read_multi(r.body) : std::nullopt;
    const fault failed = results ? fault_in(*results) : r.said;
    const bool fits = results && results->size() == owners.size();
    if (fits && failed == fault::none) {
        for (std::size_t i = 0; i < owners.size(); ++i)
            note_longer_life(*all[owners[i]], (*results)[i]);
        for (auto& each : all)
            confirmed(*each.release(), r.sent_at);
        return;
    }
    // One that is gone spoils it for all: the others are asked for once more.
    const std::size_t at = fits ? first_fault(*results) : owners.size();
    if (at < owners.size() && (failed == fault::no_node || failed == fault::bad_version)) {
        const bool is_gone = failed == fault::no_node;
        const renewal& spoiler = *all[owners[at]];
        // A new token of ours came before it: of a lease that is handed on both are asked for at once.
        const bool is_outdated = !is_gone && spoiler.over != spoiler.of->has().version;
        for (std::size_t i = 0; i < all.size(); ++i) {
            renewal& each = *all[i].release();
            each.sent = false;
            if (i == owners[at] && !is_outdated)
                each.answer(is_gone ? engine::outcome::gone : engine::outcome::inconclusive, r.sent_at,
                            errc::no_quorum, nullptr);
            else if (each.is_let_go())
                delete &each;
            else
                waiting_.push_back(each);
        }
        return;
    }
    const errc why = r.is_done() ? errc::protocol_error : meaning_of(r);
    const auto more = engine_.failure_of(why);
    for (auto& each : all)
        each.release()->answer(engine::outcome::inconclusive, r.sent_at, why, more.get());
}

// Its time may have run out before the answer came, and then its key was given back behind what it confirms.
void renewals::confirmed(renewal& one, core::instant sent_at) {
    if (one.of->has().given_back) return one.answer(engine::outcome::gone, sent_at, {}, nullptr);
    engine_.prolong_tenure(*one.of, core::saturating_add(sent_at, one.life));
    engine_.what_is_proclaimed().again(one.of);
    one.answer(engine::outcome::confirmed, sent_at, {}, nullptr);
}

// The transaction that writes the record anew is the new token.
void renewals::add(token_advance& t) {
    const holding& has = t.of->has();
    const lock_record same = record_of(*t.of, has.life, 0, engine_.holder_label());
    multi m;
    m.check(has.node).set_data(engine_.path_of(*t.of), same.text(), has.version);
    t.sent = true;
    engine_.servers().submit(
        m.finish(), [this, kept = std::make_shared<std::unique_ptr<token_advance>>(&t)](const reply& r) {
            token_advance& asked = *kept->release();
            const auto results = r.is_done() ? read_multi(r.body) : std::nullopt;
            const fault failed = results ? fault_in(*results) : r.said;
            const bool fits = results && results->size() == 2 && results->back().state;
            if (fits && failed == fault::none) {
                holding& of = asked.of->has();
                of.version = results->back().state->version;
                of.fence = static_cast<std::uint64_t>(results->back().state->modified);
                const bool is_ours = !of.given_back;
                return asked.answer(is_ours ? engine::outcome::confirmed : engine::outcome::gone, r.sent_at,
                                    {}, nullptr);
            }
            if (failed == fault::no_node) return asked.answer(engine::outcome::gone, r.sent_at, {}, nullptr);
            const errc why = r.is_done() ? errc::no_quorum : meaning_of(r);
            asked.answer(engine::outcome::inconclusive, r.sent_at, why, engine_.failure_of(why).get());
        });
}

void renewals::abandon() noexcept {
    while (!waiting_.empty())
        delete &waiting_.front();
}

} // namespace redlock::zookeeper
