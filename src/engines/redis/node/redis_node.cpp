#include "engines/redis/node/redis_node.hpp"

#include "engines/redis/node/session.hpp"

#include <utility>

namespace redlock::node {

redis_node::redis_node(strand on, address to, std::uint32_t index, node_settings settings,
                       node_listener& listener, const time::time_source& time, std::uint64_t seed,
                       network::io_source& over)
    : session_(std::make_shared<session>(std::move(on), std::move(to), index, std::move(settings), listener,
                                         time, seed, over)) {
    fast_ = &session_->fast();
}

redis_node::~redis_node() { session_->abandon(); }

void redis_node::start() { session_->start(); }
void redis_node::stop(std::function<void()> ended) { session_->stop(std::move(ended)); }
void redis_node::leave() noexcept { session_->leave(); }
bool redis_node::idle() const noexcept { return session_->idle(); }
const server_info& redis_node::server() const noexcept { return session_->server(); }
errc redis_node::submit(const request& r) noexcept { return session_->submit(r); }
void redis_node::flush() noexcept { session_->flush(); }
health redis_node::state() const noexcept { return session_->state(); }
std::chrono::nanoseconds redis_node::round_trip() const noexcept { return session_->round_trip(); }
std::chrono::nanoseconds redis_node::usual_round_trip() const noexcept {
    return session_->usual_round_trip();
}
std::chrono::nanoseconds redis_node::least_round_trip() const noexcept {
    return session_->least_round_trip();
}
status redis_node::report() const { return session_->report(); }
std::string_view redis_node::name() const noexcept { return session_->name(); }

bool redis_node::reveals_secret(std::string_view text) const noexcept {
    return session_->reveals_secret(text);
}
std::string redis_node::quote(std::string_view words) const {
    return reveals_secret(words) ? "(words withheld)" : printable(words);
}

} // namespace redlock::node
