#pragma once

#include <redlock/error.hpp>

#include <cstddef>

namespace redlock::lock {

/// The name of the enumerator; null for a number that stands for no error.
constexpr const char* name_of(errc e) noexcept {
    switch (e) {
    case errc::held:
        return "held";
    case errc::wait_timeout:
        return "wait_timeout";
    case errc::no_quorum:
        return "no_quorum";
    case errc::lease_lost:
        return "lease_lost";
    case errc::closed:
        return "closed";
    case errc::invalid_key:
        return "invalid_key";
    case errc::invalid_option:
        return "invalid_option";
    case errc::invalid_uri:
        return "invalid_uri";
    case errc::duplicate_node:
        return "duplicate_node";
    case errc::authentication_failed:
        return "authentication_failed";
    case errc::permission_denied:
        return "permission_denied";
    case errc::protocol_error:
        return "protocol_error";
    case errc::node_timeout:
        return "node_timeout";
    case errc::node_unavailable:
        return "node_unavailable";
    case errc::node_quarantined:
        return "node_quarantined";
    case errc::wrong_type:
        return "wrong_type";
    case errc::out_of_memory:
        return "out_of_memory";
    case errc::read_only:
        return "read_only";
    case errc::server_error:
        return "server_error";
    case errc::unsupported:
        return "unsupported";
    case errc::tls_failed:
        return "tls_failed";
    }
    return nullptr;
}

/// How many errors there are. They are numbered from 1 on.
constexpr std::size_t error_count() noexcept {
    std::size_t count = 0;
    while (name_of(static_cast<errc>(count + 1)))
        ++count;
    return count;
}

} // namespace redlock::lock
