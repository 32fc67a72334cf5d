#include "event_loop.hpp"

#include <csignal>

namespace demo {

event_loop::event_loop() : signals_(context_, SIGINT, SIGTERM, SIGHUP) {
    signals_.async_wait([this](boost::system::error_code error, int) { interrupted_ = !error; });
    // When nobody reads the output any more, the next line fails and the program unwinds.
    std::signal(SIGPIPE, SIG_IGN);
}

void event_loop::run_for(std::chrono::milliseconds duration) {
    const auto deadline = std::chrono::steady_clock::now() + duration;
    while (run_one_until(deadline))
        continue;
}

bool event_loop::run_one_until(std::chrono::steady_clock::time_point deadline) {
    if (context_.stopped()) context_.restart();
    context_.run_one_until(deadline);
    if (interrupted_) throw interrupted();
    return std::chrono::steady_clock::now() < deadline;
}

} // namespace demo
