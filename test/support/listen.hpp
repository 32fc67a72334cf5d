#pragma once

#include "support/loopback_port.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace redlock::test {

/// Listens on a free port of 127.0.0.1. Throws `boost::system::system_error` when there is none.
inline boost::asio::ip::tcp::acceptor listen_on_loopback(boost::asio::io_context& context) {
    using boost::asio::ip::tcp;
    for (int attempt = 0;; ++attempt) {
        const tcp::endpoint endpoint(boost::asio::ip::address_v4::loopback(), free_loopback_port());
        try {
            return tcp::acceptor(context, endpoint);
        } catch (const boost::system::system_error&) {
            // Another test was faster at this port.
            if (attempt == 10) throw;
        }
    }
}

} // namespace redlock::test
