#include "engines/redis/dialect/session.hpp"

#include <new>

namespace redlock::redis {

void session::reconnected() noexcept {
    dialect_.meet(node_->server());
    wakeup_ = redlock::wakeup::automatic;
    // The script that serves a queue knows of listeners at its own server only.
    hears_ = node_->has_several_servers() ? hearing::refused : hearing::no;
}

void session::refused(const server_error& error, time::instant now) noexcept try {
    constexpr std::size_t longest = 512;
    if (!last_refusal_) last_refusal_.reset(new refusal);
    last_refusal_->words = error.words.substr(0, longest);
    last_refusal_->at = now;
    last_refusal_->why = error.meaning;
} catch (const std::bad_alloc&) {
    last_refusal_.reset();
}

errc session::submit_slowly(std::string_view bytes, reply_tag tag, const addressee& to) noexcept {
    return submitted(node_->submit({.command = bytes,
                                    .receiver = to.receiver,
                                    .tag = tag,
                                    .deadline = to.deadline,
                                    .stays = true,
                                    .server = to.server,
                                    .cleanup = to.cleanup}));
}

errc session::submit_subscription(std::string_view bytes, const addressee& to) noexcept {
    return submitted(ear().submit({.command = bytes,
                                   .receiver = to.receiver,
                                   .tag = to.tag,
                                   .deadline = to.deadline,
                                   .subscription = true,
                                   .stays = true,
                                   .cleanup = to.cleanup}));
}

} // namespace redlock::redis
