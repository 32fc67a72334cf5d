#pragma once

#include <redlock/client.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <functional>

namespace redlock::tool {

/// A client on this context. Throws `usage_error` when the configuration is not valid.
client open_client(boost::asio::io_context& context, config settings);

/// Runs `body` with a client in this thread and returns the exit status that it returns, once the client is
/// closed. SIGINT, SIGTERM and SIGHUP cancel what the body waits for (terminal); whatever it then returns or
/// throws, the status is that of the signal. Exceptions of the body go on. Throws `usage_error` when the
/// configuration is not valid.
int with_client(config settings, const std::function<boost::asio::awaitable<int>(client&)>& body);

/// What is known of the nodes that are not ready, on standard error, a line for each. No passwords.
void report_failed_nodes(const client& locks);

} // namespace redlock::tool
