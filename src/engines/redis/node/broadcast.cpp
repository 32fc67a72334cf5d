#include "engines/redis/node/broadcast.hpp"

#include "engines/redis/node/fast_path.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>

namespace redlock::node {

bool broadcast::begin(std::string_view command, time::instant deadline) noexcept {
    hand_out();
    limit_ = requests_.size();
    room_ = std::numeric_limits<std::size_t>::max();
    takers_ = 0;
    for (std::size_t index = 0; index < paths_.size(); ++index) {
        fast_path* const path = paths_[index];
        if (!path || !path->join(*this, command, deadline)) continue;
        takers_ |= std::uint64_t{1} << index;
        limit_ = std::min(limit_, path->room_for_requests());
        room_ = std::min(room_, path->room_for_bytes());
    }
    if (takers_ == 0) limit_ = 0;
    begin_ = end_ = command.data();
    deadline_ = deadline;
    unflushed_ |= takers_;
    return takers_ != 0;
}

void broadcast::hand_out() noexcept {
    const std::span row(requests_.data(), std::exchange(collected_, 0));
    const std::string_view commands(begin_, static_cast<std::size_t>(end_ - begin_));
    limit_ = 0;
    for (std::uint64_t left = std::exchange(takers_, 0); left != 0; left &= left - 1) {
        const auto index = static_cast<std::uint32_t>(std::countr_zero(left));
        paths_[index]->take(row, index, commands, deadline_);
    }
}

} // namespace redlock::node
