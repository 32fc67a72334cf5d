#include "engines/redis/dialect/encoder.hpp"

#include "core/holder_value.hpp"
#include "engines/redis/node/cluster/hash_slot.hpp"

namespace redlock::redis {

encoder::encoder(std::string_view label) : label_(core::label_ending(label, false)) {}

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

std::string_view encoder::leader_key_of(std::string_view lock_key, bool tagged) {
    return put_name(leader_key_, lock_key, claim::leader_suffix, tagged);
}

std::string_view encoder::readers_key_of(std::string_view lock_key, bool tagged) {
    return put_name(readers_key_, lock_key, claim::readers_suffix, tagged);
}

} // namespace redlock::redis
