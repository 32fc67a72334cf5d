#include "engines/etcd/line/login.hpp"

#include "engines/etcd/messages/cluster.hpp"

#include <memory>
#include <utility>

namespace redlock::etcd {

namespace {

std::string request_of(const credentials& who) {
    std::string message;
    messages::append(message, messages::authenticate_request{.user = who.user, .password = who.password});
    return message;
}

} // namespace

login::login(const credentials& who, core::nanoseconds patience, login_listener& told)
    : call(methods::authenticate, request_of(who), patience), told_(told), password_(who.password) {}

void login::answered(std::string_view response, core::instant) noexcept {
    const std::unique_ptr<login> own(this);
    messages::reply<messages::authenticate_result> told;
    const messages::fault wrong = messages::read(response, told);
    if (wrong == messages::fault::none && !told.content.token.empty())
        return told_.logged_in(std::move(told.content.token));
    told_.not_logged_in({.why = errc::protocol_error, .text = "answered a log-in with no token"});
}

void login::failed(const failure& why) noexcept {
    const std::unique_ptr<login> own(this);
    // Whoever has users is told so, whoever has none needs no token.
    if (why.status == status_code::failed_precondition &&
        why.text.find("authentication is not enabled") != why.text.npos)
        return told_.logged_in({});
    failure shown = why;
    if (!password_.empty() && shown.text.find(password_) != shown.text.npos)
        shown.text = "refused the log-in with words that are withheld";
    told_.not_logged_in(shown);
}

} // namespace redlock::etcd
