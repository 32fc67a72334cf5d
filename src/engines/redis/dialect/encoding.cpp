#include "engines/redis/dialect/encoding.hpp"

namespace redlock::redis {

const resp::command_pattern& encoding::set_pattern(std::chrono::milliseconds life, bool returns_holder) {
    if (life != life_of_set_) {
        const resp::decimal milliseconds(life.count());
        set_returning_holder_ = {{"SET"}, {"NX", "GET", "PX", milliseconds}};
        plain_set_ = {{"SET"}, {"NX", "PX", milliseconds}};
        life_of_set_ = life;
    }
    return returns_holder ? set_returning_holder_ : plain_set_;
}

} // namespace redlock::redis
