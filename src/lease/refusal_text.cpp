#include "lease/refusal_text.hpp"

#include "lease/request_text.hpp"

#include <fmt/format.h>

#include <chrono>

namespace redlock::lock {

namespace {

using std::chrono::milliseconds;

milliseconds whole(core::nanoseconds time) { return std::chrono::ceil<milliseconds>(time); }

std::string text_of_wait(const acquire::account& told) {
    const bool for_ever = told.wait == core::nanoseconds::max();
    const milliseconds limit = for_ever ? forever : whole(told.wait);
    const std::string_view why = told.for_others
                                     ? "somebody else holds it"
                                     : "more than config::max_inflight others were asking the nodes";
    return fmt::format("waited {} ms for the lock {}, and lock_options::wait is {}: {}",
                       whole(told.waited).count(), quoted_key(told.key), text_of(limit), why);
}

} // namespace

std::string refusal_text(const acquire::account& told, errc why, const engine::failure* more) {
    const std::string quoted = quoted_key(told.key);
    switch (why) {
    case errc::held:
        return fmt::format("somebody else holds the lock {}", quoted);
    case errc::wait_timeout:
        return text_of_wait(told);
    case errc::closed:
        return fmt::format("the client was closed before the lock {} was granted", quoted);
    default:
        break;
    }
    if (told.was_granted)
        return fmt::format("the nodes granted the lock {} so late that nothing was left of its ttl", quoted);
    if (more) return more->describe(fmt::format("granted the lock {}", quoted));
    return fmt::format("the lock {} was not granted", quoted);
}

} // namespace redlock::lock
