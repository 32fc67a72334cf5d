#include "nodes/node_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace redlock::tool {

node_progress::node_progress(const boost::asio::any_io_executor& executor, const client& locks,
                             std::string what)
    : locks_(locks), what_(std::move(what)), timer_(executor) {
    wait();
}

void node_progress::wait() {
    if (line_.due() == progress_note::clock::time_point::max()) return;
    timer_.expires_at(line_.due());
    timer_.async_wait([this, life = std::weak_ptr(life_)](boost::system::error_code error) {
        if (error || life.expired()) return;
        draw();
        wait();
    });
}

void node_progress::draw() {
    const auto nodes = locks_.metrics().nodes;
    const auto ready =
        std::count_if(nodes.begin(), nodes.end(), [](const auto& n) { return n.state == "ready"; });
    line_.draw(fmt::format("{}, {} of {} nodes ready", what_, ready, nodes.size()));
}

} // namespace redlock::tool
