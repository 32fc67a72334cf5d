#include "blocking/answer.hpp"
#include "blocking/loop.hpp"

#include <redlock/blocking/client.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

namespace redlock::blocking {

client::client(config settings) : loop_(detail::loop::start(std::move(settings))) {}

client::client(client&&) noexcept = default;

client& client::operator=(client&& other) noexcept {
    const client former(std::move(*this));
    loop_ = std::move(other.loop_);
    return *this;
}

client::~client() {
    if (loop_) loop_->close();
}

lease client::lock(std::string_view key, lock_options options) { return take(key, options, {}, false); }

lease client::lock(std::string_view key, std::stop_token stop, lock_options options) {
    return take(key, options, stop, false);
}

lease client::try_lock(std::string_view key, lock_options options) {
    return try_lock_for(key, std::chrono::milliseconds(0), options);
}

lease client::try_lock_for(std::string_view key, std::chrono::milliseconds wait, lock_options options) {
    options.wait = wait;
    return take(key, options, {}, true);
}

lease client::take(std::string_view key, const lock_options& options, const std::stop_token& stop,
                   bool empty_when_held) {
    const std::shared_ptr<detail::loop> where = loop_;
    if (!where) throw boost::system::system_error(make_error_code(errc::closed));
    asio::cancellation_signal cancel;
    detail::answering_handler<redlock::lease> handler;
    auto answer = handler.future();
    where->begin([&](redlock::client& locks) {
        locks.async_lock(key, options, asio::bind_cancellation_slot(cancel.slot(), std::move(handler)));
    });
    const std::stop_callback give_up(stop, [&] { cancel.emit(asio::cancellation_type::total); });
    try {
        auto [granted] = detail::await(std::move(answer));
        return lease(std::make_unique<detail::held_lease>(where, std::move(granted)));
    } catch (const boost::system::system_error& e) {
        if (empty_when_held && (e.code() == errc::held || e.code() == errc::wait_timeout)) return {};
        throw;
    }
}

} // namespace redlock::blocking
