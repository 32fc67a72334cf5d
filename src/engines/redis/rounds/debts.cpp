#include "engines/redis/rounds/debts.hpp"

#include <algorithm>
#include <utility>

namespace redlock::redis {

void debts::add(debt d, time::instant now) {
    if (d.until <= now) return;
    if (open_.size() >= worth_sweeping_) forget_expired(now);
    if (open_.size() >= limit) open_.erase(open_.begin(), open_.begin() + limit / 16);
    open_.push_back(std::move(d));
}

std::vector<debt> debts::take(bool new_connection, time::instant now) {
    forget_expired(now);
    std::vector<debt> due;
    std::vector<debt> staying;
    for (debt& d : open_)
        (d.written && !new_connection ? staying : due).push_back(std::move(d));
    open_ = std::move(staying);
    return due;
}

void debts::forget_expired(time::instant now) {
    std::erase_if(open_, [&](const debt& d) { return d.until <= now; });
    worth_sweeping_ = std::clamp<std::size_t>(2 * open_.size(), 64, limit);
}

} // namespace redlock::redis
