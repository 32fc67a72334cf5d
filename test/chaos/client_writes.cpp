// What a client does while it has leases.

#include "chaos/client_process.hpp"

#include <algorithm>

namespace redlock::chaos {

bool client_process::is_valid(const written& what) {
    const bool valid = what.held->valid();
    if (what.twin == nullptr) return valid;
    // Nothing happens to them in between, but time goes on.
    const bool twin_valid = what.twin->valid();
    if (valid != twin_valid && (twin_valid || what.held->valid())) ++log_.page_of(number_).astray;
    return valid;
}

bool client_process::are_valid(const std::vector<written>& all) {
    return std::ranges::all_of(all, [this](const written& each) { return is_valid(each); });
}

bool client_process::begin_to_write(std::vector<written>& all, std::int64_t asked) {
    const auto granted = now();
    if (!are_valid(all)) return false;
    for (written& each : all) {
        each.record = log_.begin_hold(number_);
        if (each.record == nullptr) return false;
        each.record->asked = asked;
        each.record->key = each.key;
        each.record->token = each.held->fencing_token().value();
        each.record->reads = each.reads;
        each.record->granted = granted;
        each.record->last_valid = granted;
    }
    return true;
}

asio::awaitable<void> client_process::go_on_writing(const std::vector<written>& all) {
    const bool to_the_end = in(4); // as one that forgets to look
    for (auto writes = between(1, 12); writes > 0 || to_the_end; --writes) {
        const auto looked = now();
        if (!are_valid(all)) co_return;
        for (const written& each : all)
            each.record->last_valid = looked;
        co_await sleep(0, 30); // as a write takes its time on its way
        for (const written& each : all)
            touch(each);
        if (to_the_end && over_) co_return;
    }
}

void client_process::touch(const written& what) {
    resource& touched = log_.resource_of(what.key);
    const std::uint64_t token = what.held->fencing_token().value();
    if (what.reads ? touched.read(token) : touched.write(token)) return;
    ++(what.held->valid() ? touched.wronged : touched.rejected);
}

asio::awaitable<void> client_process::downgrade(written& what) {
    const auto looked = now();
    if (!is_valid(what)) co_return;
    what.record->last_valid = looked;
    if (!co_await becomes_a_reader(*what.held)) co_return; // it keeps readers out as before
    what.record->downgraded = looked;
    what.reads = true;
    log_.page_of(number_).count(deed::downgrade);
}

asio::awaitable<void> client_process::keep(written& what, std::chrono::milliseconds time) {
    auto [failure] = co_await what.held->async_unlock(as_result);
    if (failure) co_return;
    // From the grant on, which was not before it was asked for.
    const std::int64_t until = what.record->asked + std::chrono::nanoseconds(time).count();
    if (until <= what.record->last_valid) co_return;
    what.record->last_valid = until;
    log_.page_of(number_).count(deed::keep);
}

} // namespace redlock::chaos
