#include "nodes/node_progress.hpp"

#include "text/printable.hpp"
#include "text/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <unistd.h>
#include <utility>

namespace redlock::tool {

using namespace std::chrono_literals;

node_progress::node_progress(const boost::asio::any_io_executor& executor, const client& locks,
                             std::string what)
    : locks_(locks), what_(std::move(what)), timer_(executor) {
    if (::isatty(STDERR_FILENO) == 1) wait(begun_ + 1s);
}

node_progress::~node_progress() {
    if (drawn_) fmt::print(stderr, "\r\x1b[K");
}

void node_progress::wait(std::chrono::steady_clock::time_point next) {
    timer_.expires_at(next);
    timer_.async_wait([this, next, life = std::weak_ptr(life_)](boost::system::error_code error) {
        if (error || life.expired()) return;
        draw();
        wait(next + 1s);
    });
}

void node_progress::draw() {
    const auto nodes = locks_.metrics().nodes;
    const auto ready =
        std::count_if(nodes.begin(), nodes.end(), [](const auto& n) { return n.state == "ready"; });
    const auto passed = std::chrono::floor<std::chrono::seconds>(std::chrono::steady_clock::now() - begun_);
    const std::string text = fmt::format("redlock: {}, {} of {} nodes ready, {} s", printable(what_), ready,
                                         nodes.size(), passed.count());
    // A line that is too long must not become two, of which the upper one stays.
    fmt::print(stderr, "\r\x1b[?7l{}\x1b[K\x1b[?7h", paint(has_colour(stderr), style::quiet, text));
    std::fflush(stderr);
    drawn_ = true;
}

} // namespace redlock::tool
