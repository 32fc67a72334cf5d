#include "engines/memory/memory_engine.hpp"
#include "engines/memory/store.hpp"

#include <redlock/testing.hpp>

namespace redlock::testing {

memory_handle::memory_handle(std::string_view name)
    : keys_(memory::store::named(memory::checked_name(name))) {}

bool memory_handle::lose(std::string_view key) { return keys_->take_away(key); }

void memory_handle::hold(std::string_view key, std::chrono::milliseconds life) { keys_->hold(key, life); }

void memory_handle::fail_next(std::size_t requests, errc why) { keys_->fail_next(requests, why); }

void memory_handle::let_time_pass(std::chrono::milliseconds time) { keys_->let_time_pass(time); }

bool memory_handle::is_held(std::string_view key) const {
    const memory::key_state found = keys_->peek(key);
    return found.holder.has_value() || !found.readers.empty();
}

std::size_t memory_handle::waiting(std::string_view key) const { return keys_->peek(key).waiting; }

} // namespace redlock::testing
