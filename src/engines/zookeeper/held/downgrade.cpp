// How one who writes becomes one who reads.

#include "core/validity.hpp"
#include "engines/zookeeper/rule/lock_record.hpp"
#include "engines/zookeeper/zookeeper_engine.hpp"

#include <memory>
#include <utility>

namespace redlock::zookeeper {

namespace {

/// Makes a node to read with, and behind that, while the writer is there, its mark. As with any reader the
/// end of the node undoes a mark that comes late.
class entering final : public std::enable_shared_from_this<entering> {
public:
    entering(zookeeper_engine& by, claim_pointer held, renewal& asked)
        : engine_(by), held_(std::move(held)), asked_(&asked) {
        asked.sent = true;
    }

    void make_node() {
        const claim& reading = *asked_->of;
        engine_.servers().submit(create(engine_.path_of(reading) + "/" + place_name(reading.token(), true),
                                        {}, life_of_node::ephemeral_in_sequence, engine_.access_of_nodes()),
                                 [self = shared_from_this()](const reply& r) { self->made(r); });
    }

private:
    void made(const reply& r) {
        const auto path = r.is_done() ? read_created_path(r.body) : std::nullopt;
        if (!path) return fail(r);
        const claim& reading = *asked_->of;
        holding& has = reading.has();
        has.node = *path;
        has.session = engine_.servers().number();
        has.fence = held_->has().fence;
        multi m;
        m.check(held_->has().node)
            .create(engine_.path_of(reading) + "/" + mark_name(reading.token(), asked_->life),
                    mark_text({.fence = has.fence, .label = engine_.holder_label()}),
                    life_of_node::persistent, engine_.access_of_nodes())
            .check(has.node);
        engine_.servers().submit(m.finish(),
                                 [self = shared_from_this()](const reply& told) { self->marked(told); });
    }
    void marked(const reply& r) {
        const auto all = r.is_done() ? read_multi(r.body) : std::nullopt;
        const fault failed = all ? fault_in(*all) : r.said;
        if (all && failed == fault::none && all->size() == 3) {
            holding& has = asked_->of->has();
            has.mark = (*all)[1].path;
            has.life = asked_->life;
            has.granted = true;
            held_->has().left_to_readers = true;
            engine_.begin_tenure(asked_->of, core::saturating_add(r.sent_at, asked_->life));
            return asked_.release()->answer(engine::outcome::confirmed, r.sent_at, {}, nullptr);
        }
        if (failed == fault::no_node)
            return asked_.release()->answer(engine::outcome::gone, r.sent_at, {}, nullptr);
        fail(r);
    }
    void fail(const reply& r) {
        const errc why = r.is_done() ? errc::protocol_error : meaning_of(r);
        const auto more = engine_.failure_of(why);
        asked_.release()->answer(engine::outcome::inconclusive, r.sent_at, why, more.get());
    }

    zookeeper_engine& engine_;
    const claim_pointer held_;
    std::unique_ptr<renewal> asked_;
};

} // namespace

seam::errand_pointer<> zookeeper_engine::downgrade(seam::claim_pointer held, seam::claim_pointer reading,
                                                   std::chrono::milliseconds life,
                                                   seam::renewal_listener& listener) {
    auto* const asked = new renewal(own(std::move(reading)), life, listener);
    std::make_shared<entering>(*this, own(std::move(held)), *asked)->make_node();
    return seam::errand_pointer<>(asked);
}

} // namespace redlock::zookeeper
