#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <fmt/format.h>

#include <chrono>
#include <stdexcept>

namespace demo {

/// Ctrl-C, or a request to end: unwinds the program, which takes its processes and its folder with it.
class interrupted : public std::runtime_error {
public:
    interrupted() : std::runtime_error("interrupted") {}
};

/// Runs handlers while the show goes on, and watches for SIGINT, SIGTERM and SIGHUP.
class event_loop {
public:
    event_loop();

    boost::asio::io_context& context() noexcept { return context_; }

    /// Throws `interrupted`.
    void run_for(std::chrono::milliseconds duration);

    /// Runs until the condition holds; looks at it after each handler. Throws `interrupted`, or
    /// `std::runtime_error` that says what was awaited when the bound passes first.
    template <typename Condition>
    void await(const char* what, std::chrono::milliseconds bound, Condition condition) {
        const auto deadline = std::chrono::steady_clock::now() + bound;
        while (!condition())
            if (!run_one_until(deadline))
                throw std::runtime_error(fmt::format("waited in vain for {}", what));
    }

private:
    bool run_one_until(std::chrono::steady_clock::time_point deadline);

    boost::asio::io_context context_{1};
    boost::asio::signal_set signals_;
    bool interrupted_ = false;
};

} // namespace demo
