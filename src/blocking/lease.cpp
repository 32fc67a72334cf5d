#include "blocking/answer.hpp"
#include "blocking/loop.hpp"

#include <redlock/blocking/lease.hpp>

namespace redlock::blocking {

lease::lease() noexcept = default;
lease::lease(std::unique_ptr<detail::held_lease> held) noexcept : held_(std::move(held)) {}
lease::lease(lease&&) noexcept = default;
lease& lease::operator=(lease&&) noexcept = default;
lease::~lease() = default;

bool lease::valid() const noexcept { return held_ && held_->what.valid(); }

std::chrono::nanoseconds lease::remaining() const noexcept {
    return held_ ? held_->what.remaining() : std::chrono::nanoseconds(0);
}

std::string_view lease::key() const noexcept { return held_ ? held_->what.key() : std::string_view(); }

std::optional<std::uint64_t> lease::fencing_token() const noexcept {
    return held_ ? held_->what.fencing_token() : std::nullopt;
}

unsigned lease::slot() const noexcept { return held_ ? held_->what.slot() : 0; }

std::stop_token lease::stop_token() const noexcept {
    return held_ ? held_->what.stop_token() : std::stop_token();
}

void lease::unlock() {
    if (!held_) throw boost::system::system_error(make_error_code(errc::lease_lost));
    detail::answering_handler<> handler;
    auto done = handler.future();
    held_->where->begin([&](redlock::client&) { held_->what.async_unlock(std::move(handler)); });
    detail::await(std::move(done));
}

void lease::unlock(boost::system::error_code& error) noexcept {
    error.clear();
    try {
        unlock();
    } catch (const boost::system::system_error& e) {
        error = e.code();
    } catch (const std::exception&) {
        error = make_error_code(boost::system::errc::not_enough_memory);
    }
}

void lease::extend(std::chrono::milliseconds ttl) {
    if (!held_) throw boost::system::system_error(make_error_code(errc::lease_lost));
    detail::answering_handler<> handler;
    auto done = handler.future();
    held_->where->begin([&](redlock::client&) { held_->what.async_extend(ttl, std::move(handler)); });
    detail::await(std::move(done));
}

} // namespace redlock::blocking
