#include "engines/etcd/line/login.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <utility>

namespace redlock::etcd {

namespace {

constexpr std::size_t longest_token = 4096;

// AuthenticateRequest: name and password.
std::string request_of(const credentials& who) {
    std::string message;
    protozero::pbf_writer writer(message);
    writer.add_string(1, who.user);
    writer.add_string(2, who.password);
    return message;
}

bool is_printable(char c) noexcept { return c > ' ' && c <= '~'; }

// AuthenticateResponse: a header and the token. Nothing where that cannot be one.
std::optional<std::string> token_in(std::string_view response) try {
    protozero::pbf_reader reader(response.data(), response.size());
    std::string token;
    while (reader.next()) {
        if (reader.tag_and_type() == protozero::tag_and_type(2, protozero::pbf_wire_type::length_delimited))
            token = reader.get_string();
        else
            reader.skip();
    }
    if (token.empty() || token.size() > longest_token || !std::ranges::all_of(token, is_printable))
        return std::nullopt;
    return token;
} catch (const protozero::exception&) {
    return std::nullopt;
}

} // namespace

login::login(const credentials& who, core::nanoseconds patience, login_listener& told)
    : call(methods::authenticate, request_of(who), patience), told_(told), password_(who.password) {}

void login::answered(std::string_view response, core::instant) noexcept {
    const std::unique_ptr<login> own(this);
    if (auto token = token_in(response)) return told_.logged_in(*std::move(token));
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
