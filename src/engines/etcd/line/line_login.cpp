// How a line comes to a token.

#include "engines/etcd/line/line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace redlock::etcd {

namespace {

// The hash of a password is made to take long.
constexpr std::chrono::seconds least_to_log_in{2};

} // namespace

// The text of an exception of the caller's may have a password in it.
std::optional<credentials> line::ask_for_credentials() const try {
    return settings_.log_in_as ? settings_.log_in_as(settings_.name) : settings_.login;
} catch (...) {
    return std::nullopt;
}

void line::log_in() {
    if (!serves()) phase_ = phase::logging_in;
    const std::optional<credentials> who = ask_for_credentials();
    if (!who) return lose(errc::authentication_failed, "was not logged in to, for config::credentials threw");
    if (who->user.empty()) return logged_in({});
    const core::nanoseconds patience = std::max<core::nanoseconds>(settings_.patience, least_to_log_in);
    traffic_.begin(*new login(*who, patience, *this));
}

void line::token_is_spent() {
    if (serves() && !std::exchange(renewing_, true)) log_in();
}

void line::logged_in(std::string token) noexcept {
    traffic_.set_token(std::move(token));
    renewing_ = false;
    if (phase_ == phase::logging_in) begin_service();
}

void line::not_logged_in(const failure& why) noexcept {
    if (why.why != errc::authentication_failed || why.status == status_code::ok)
        return lose(why.why, why.text);
    lose(why.why, "refused the user or the password: it " + why.text);
}

} // namespace redlock::etcd
