#include "engines/redis/watch/listener_count.hpp"

#include <utility>

namespace redlock::redis {

void listener_count::start(quorum& r, std::shared_ptr<const claim> c, engine::others_listener& listener) {
    unsigned telling = 0;
    for (std::uint32_t index = 0; index < r.nodes(); ++index)
        telling += r.session_of(index).wakeup() == wakeup::keyspace_events;
    if (telling < core::majority(r.nodes())) return;
    auto* self = new listener_count(r, std::move(c), listener);
    r.listener_counts().push_back(*self);
    listeners_command command(r.encoder(), self->claim_->full_key);
    for (std::uint32_t index = 0; index < r.nodes(); ++index) {
        session& s = r.session_of(index);
        if (s.wakeup() != wakeup::keyspace_events) continue;
        const addressee back{.receiver = self, .tag = reply_tag::of(index), .deadline = r.deadline()};
        self->outstanding_ += s.send(command, back) == errc{};
    }
    if (self->outstanding_ == 0) delete self;
}

void listener_count::on_reply(reply_tag, const resp::reply& reply) noexcept {
    if (const auto listening = read_listeners(reply)) (*listening == 0 ? without_ : with_) += 1;
    after_request();
}

void listener_count::on_failure(reply_tag, errc) noexcept { after_request(); }

void listener_count::after_request() noexcept {
    if (--outstanding_ > 0) return;
    if (with_ == 0 && without_ >= core::majority(quorum_.nodes()))
        listener_.nobody_else_waits(claim_->full_key);
    delete this;
}

} // namespace redlock::redis
