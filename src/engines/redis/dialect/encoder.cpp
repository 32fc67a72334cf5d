#include "engines/redis/dialect/encoder.hpp"

#include "engines/redis/quorum/claim.hpp"

namespace redlock::redis {

const resp::command_pattern& encoder::set_pattern(std::chrono::milliseconds life, bool returns_holder) {
    if (life != life_of_set_) {
        const resp::decimal milliseconds(life.count());
        set_returning_holder_ = {{"SET"}, {"NX", "GET", "PX", milliseconds}};
        plain_set_ = {{"SET"}, {"NX", "PX", milliseconds}};
        life_of_set_ = life;
    }
    return returns_holder ? set_returning_holder_ : plain_set_;
}

std::string_view encoder::fence_key_of(std::string_view lock_key) {
    return fence_key_.assign(lock_key).append(claim::fence_suffix);
}

std::string_view encoder::queue_key_of(std::string_view lock_key) {
    return queue_key_.assign(lock_key).append(claim::queue_suffix);
}

} // namespace redlock::redis
