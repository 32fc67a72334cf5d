#include "engines/redis/dialect/encoder.hpp"

#include "engines/redis/node/cluster/hash_slot.hpp"
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

namespace {

std::string_view put_name(std::string& text, std::string_view lock_key, std::string_view suffix,
                          bool tagged) {
    if (tagged)
        node::name_beside(text, lock_key, suffix);
    else
        text.assign(lock_key).append(suffix);
    return text;
}

} // namespace

std::string_view encoder::fence_key_of(std::string_view lock_key, bool tagged) {
    return put_name(fence_key_, lock_key, claim::fence_suffix, tagged);
}

std::string_view encoder::queue_key_of(std::string_view lock_key, bool tagged) {
    return put_name(queue_key_, lock_key, claim::queue_suffix, tagged);
}

} // namespace redlock::redis
