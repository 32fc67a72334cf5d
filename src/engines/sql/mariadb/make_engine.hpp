#pragma once

#include "core/entropy.hpp"
#include "engine/engine.hpp"

#include <redlock/config.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/strand.hpp>

#include <memory>
#include <string_view>

namespace redlock::mariadb {

/// Whether an address is one of MariaDB or MySQL.
constexpr bool is_address(std::string_view uri) noexcept {
    return uri.starts_with("mysql://") || uri.starts_with("mariadb://");
}

/// The engine for the one address in `config::nodes`. Throws std::system_error with `invalid_uri` and a
/// sentence without a password, also where the library is built without it.
std::unique_ptr<engine::engine> make_engine(const config& c,
                                            const boost::asio::strand<boost::asio::any_io_executor>& on,
                                            core::entropy& random_bits, turn::turns& t);

} // namespace redlock::mariadb
