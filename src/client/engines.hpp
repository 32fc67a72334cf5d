#pragma once

#include "engine/engine.hpp"
#include "time/instant.hpp"

#include <redlock/config.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/strand.hpp>

#include <memory>

namespace redlock::lock {

/// The engine that `config::nodes` names, together with the one in `config::backup` if there is one. Throws
/// std::system_error with `invalid_option`, `invalid_uri` or `duplicate_node` and a text that names the
/// field, or the node by its place in the list, and the limit.
std::unique_ptr<engine::engine>
make_engine(const config& c, const boost::asio::strand<boost::asio::any_io_executor>& on, turn::turns& t);

/// The clock that the leases of that engine are measured with. Throws likewise.
std::shared_ptr<const time::time_source> clock_of(const config& c);

} // namespace redlock::lock
