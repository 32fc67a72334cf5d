#pragma once

#include "interruption.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <stdexcept>

namespace bench {

/// Runs an io_context until it has nothing left to do. Throws `interrupted`, or `std::runtime_error` when the
/// bound passes first.
inline void run_to_end(boost::asio::io_context& loop, std::chrono::milliseconds bound) {
    const auto deadline = std::chrono::steady_clock::now() + bound;
    while (!loop.stopped()) {
        loop.run_for(std::chrono::milliseconds(200));
        throw_if_interrupted();
        if (std::chrono::steady_clock::now() > deadline)
            throw std::runtime_error("a run did not come to its end");
    }
}

} // namespace bench
