#include "engines/redis/node/broadcast.hpp"

#include "engines/redis/node/fast_path.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace redlock::node {

bool broadcast::begin(std::string_view command, time::instant deadline) noexcept {
    hand_out();
    limit_ = requests_.size();
    room_ = std::numeric_limits<std::size_t>::max();
    takers_ = {};
    for (std::size_t index = 0; index < paths_.size(); ++index) {
        fast_path* const path = paths_[index];
        if (!path || !path->join(*this, command, deadline)) continue;
        takers_.add(static_cast<unsigned>(index));
        limit_ = std::min(limit_, path->room_for_requests());
        room_ = std::min(room_, path->room_for_bytes());
    }
    if (takers_.empty()) limit_ = 0;
    begin_ = end_ = command.data();
    deadline_ = deadline;
    unflushed_ |= takers_;
    return !takers_.empty();
}

void broadcast::hand_out() noexcept {
    const std::span row(requests_.data(), std::exchange(collected_, 0));
    const std::string_view commands(begin_, static_cast<std::size_t>(end_ - begin_));
    limit_ = 0;
    for (const std::uint32_t index : std::exchange(takers_, {}))
        paths_[index]->take(row, index, commands, deadline_);
}

} // namespace redlock::node
