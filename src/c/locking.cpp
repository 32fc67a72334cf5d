#include "c/handles.hpp"
#include "c/status.hpp"

#include <redlock/lock_options.hpp>

#include <chrono>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <utility>

using redlock::c::given;
using redlock::c::guarded;

namespace {

using std::chrono::milliseconds;

milliseconds or_forever(int64_t duration) noexcept {
    return duration == REDLOCK_FOREVER ? redlock::forever : milliseconds(duration);
}

/// Throws where the program knows another structure. Members are only added, so `size` says which it has.
void expect_size(std::size_t size) {
    if (size == sizeof(redlock_lock_options)) return;
    throw redlock::c::invalid_argument("size is " + std::to_string(size) +
                                       ", and that of redlock_lock_options is " +
                                       std::to_string(sizeof(redlock_lock_options)));
}

redlock::lock_options options_of(const redlock_lock_options& given) noexcept {
    redlock::lock_options o;
    o.ttl = milliseconds(given.ttl);
    o.wait = or_forever(given.wait);
    o.max_hold = or_forever(given.max_hold);
    o.stop_margin = milliseconds(given.stop_margin);
    o.lock_delay = milliseconds(given.lock_delay);
    o.keep = milliseconds(given.keep);
    o.renew = given.renew != 0;
    o.fencing = given.fencing != 0;
    o.mode = static_cast<redlock::mode>(given.mode);
    o.permits = given.permits;
    return o;
}

const redlock_lock_options& defaults() noexcept {
    static const redlock_lock_options all = [] {
        const redlock::lock_options o;
        redlock_lock_options d{};
        d.size = sizeof d;
        d.ttl = o.ttl.count();
        d.wait = REDLOCK_FOREVER;
        d.max_hold = REDLOCK_FOREVER;
        d.stop_margin = o.stop_margin.count();
        d.renew = o.renew;
        d.permits = o.permits;
        return d;
    }();
    return all;
}

} // namespace

redlock_status redlock_lock_options_init(redlock_lock_options* options, size_t size) {
    return guarded([&] {
        given(options, "options");
        expect_size(size);
        *options = defaults();
    });
}

redlock_stop* redlock_stop_create() {
    try {
        return new redlock_stop;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void redlock_stop_request(redlock_stop* stop) {
    if (stop) stop->what.request_stop();
}

void redlock_stop_destroy(redlock_stop* stop) { delete stop; }

redlock_status redlock_lock(redlock_client* client, const char* key, const redlock_lock_options* options,
                            redlock_lease** lease) {
    return guarded([&] {
        *given(lease, "lease") = nullptr;
        given(client, "client");
        given(key, "key");
        const redlock_lock_options& how = options ? *options : defaults();
        expect_size(how.size);
        if (how.mode < REDLOCK_EXCLUSIVE || how.mode > REDLOCK_WRITE)
            throw redlock::c::invalid_argument("mode is " + std::to_string(how.mode) +
                                               ", and no redlock_mode");
        auto granted = std::make_unique<redlock_lease>();
        granted->what = client->what.lock(key, how.stop ? how.stop->what.get_token() : std::stop_token(),
                                          options_of(how));
        *lease = granted.release();
        if (how.lost)
            (*lease)->on_loss.emplace((*lease)->what.stop_token(),
                                      redlock_lease::loss_call{how.lost, how.lost_context});
    });
}

int redlock_valid(const redlock_lease* lease) { return lease && lease->what.valid(); }

int64_t redlock_remaining(const redlock_lease* lease) {
    return lease ? std::chrono::floor<milliseconds>(lease->what.remaining()).count() : 0;
}

uint64_t redlock_fencing_token(const redlock_lease* lease) {
    return lease ? lease->what.fencing_token().value_or(0) : 0;
}

uint32_t redlock_slot(const redlock_lease* lease) { return lease ? lease->what.slot() : 0; }

redlock_status redlock_extend(redlock_lease* lease, int64_t ttl) {
    return guarded([&] { given(lease, "lease")->what.extend(milliseconds(ttl)); });
}

redlock_status redlock_unlock(redlock_lease* lease) {
    const std::unique_ptr<redlock_lease> owned(lease);
    return guarded([&] {
        given(lease, "lease")->on_loss.reset();
        lease->what.unlock();
    });
}

void redlock_lease_destroy(redlock_lease* lease) { delete lease; }
