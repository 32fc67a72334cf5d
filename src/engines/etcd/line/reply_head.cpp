#include "engines/etcd/line/reply_head.hpp"

#include "core/printable.hpp"

#include <fmt/format.h>

#include <charconv>

namespace redlock::etcd {

namespace {

constexpr std::size_t longest_message = 200;
constexpr std::size_t cost_of_field = 32;
constexpr std::uint32_t last_status = 16;

constexpr std::string_view no_leader = "etcdserver: no leader";

template <class Number>
std::optional<Number> number_in(std::string_view text) noexcept {
    Number found{};
    const char* const end = text.data() + text.size();
    const auto [behind, error] = std::from_chars(text.data(), end, found);
    if (error != std::errc() || behind != end) return std::nullopt;
    return found;
}

int digit_of(char c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

/// `%41` as `A`; what is no such thing stays as it is.
std::string decoded(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size() && plain.size() <= longest_message; ++i) {
        const bool escape = text[i] == '%' && i + 2 < text.size();
        const int high = escape ? digit_of(text[i + 1]) : -1;
        const int low = escape ? digit_of(text[i + 2]) : -1;
        if (high < 0 || low < 0) {
            plain.push_back(text[i]);
            continue;
        }
        plain.push_back(static_cast<char>(high * 16 + low));
        i += 2;
    }
    return plain;
}

/// Of something between us and the server, which knows nothing of gRPC.
errc meaning_of_http(std::uint16_t status) noexcept {
    switch (status) {
    case 401:
        return errc::authentication_failed;
    case 403:
        return errc::permission_denied;
    case 429:
    case 502:
    case 503:
    case 504:
        return errc::node_unavailable;
    default:
        return errc::protocol_error;
    }
}

/// Whether a server that says so may have done, or may yet do, what it was asked.
bool leaves_doubt(status_code status, std::string_view words) noexcept {
    switch (status) {
    case status_code::cancelled:
    case status_code::unknown:
    case status_code::deadline_exceeded:
    case status_code::aborted:
    case status_code::internal:
    case status_code::data_loss:
        return true;
    case status_code::unavailable:
        return words.find(no_leader) == words.npos;
    default:
        return false;
    }
}

} // namespace

errc meaning_of(status_code status, std::string_view words) noexcept {
    switch (status) {
    case status_code::ok:
        return {};
    case status_code::invalid_argument: {
        // These two are what a user is told who gave no name, or a wrong password.
        const bool login = words.find("user name is empty") != words.npos ||
                           words.find("authentication failed") != words.npos;
        return login ? errc::authentication_failed : errc::protocol_error;
    }
    case status_code::unimplemented:
        return errc::protocol_error;
    case status_code::deadline_exceeded:
        return errc::node_timeout;
    case status_code::permission_denied:
        return errc::permission_denied;
    case status_code::resource_exhausted:
        return errc::out_of_memory;
    case status_code::unauthenticated:
        return errc::authentication_failed;
    case status_code::cancelled:
    case status_code::unavailable:
        return errc::node_unavailable;
    default:
        return errc::server_error;
    }
}

bool reply_head::take(std::string_view name, std::string_view value) {
    size_ += name.size() + value.size() + cost_of_field;
    if (size_ > longest) return false;
    if (name == ":status") {
        http_status_ = number_in<std::uint16_t>(value).value_or(0);
    } else if (name == "content-type") {
        is_grpc_ = value.starts_with("application/grpc");
    } else if (name == "grpc-status") {
        status_ = number_in<std::uint32_t>(value).value_or(static_cast<std::uint32_t>(status_code::unknown));
    } else if (name == "grpc-message") {
        words_ = decoded(value);
    }
    return true;
}

void reply_head::clear() noexcept { *this = {}; }

std::optional<failure> reply_head::verdict() const {
    const auto refused = [](errc why, bool in_doubt, std::string text) {
        return failure{.why = why, .in_doubt = in_doubt, .text = std::move(text)};
    };
    if (http_status_ != 200 && !status_)
        return refused(meaning_of_http(http_status_), http_status_ >= 500,
                       fmt::format("answered with status {} of HTTP", http_status_));
    if (!is_grpc_) return refused(errc::protocol_error, true, "does not answer in gRPC");
    if (!status_) return refused(errc::protocol_error, true, "ended an answer without a status");
    if (*status_ == 0) return std::nullopt;
    const auto status = *status_ <= last_status ? static_cast<status_code>(*status_) : status_code::unknown;
    const std::string words = core::printable(words_, longest_message);
    return failure{.why = meaning_of(status, words),
                   .in_doubt = leaves_doubt(status, words),
                   .status = status,
                   .text = fmt::format("answered with an error: {} (status {} of gRPC)", words, *status_)};
}

bool reply_head::lacks_leader() const noexcept {
    return status_ == static_cast<std::uint32_t>(status_code::unavailable) && says(no_leader);
}

bool reply_head::wants_other_token() const noexcept {
    return status_ == static_cast<std::uint32_t>(status_code::unauthenticated) ||
           (status_ == static_cast<std::uint32_t>(status_code::invalid_argument) &&
            says("revision of auth store is old"));
}

} // namespace redlock::etcd
