#include "chaos/client_process.hpp"

#include <algorithm>
#include <numeric>

namespace redlock::chaos {
namespace {

using std::chrono::milliseconds;

std::string key_name(std::uint32_t key) { return "key:" + std::to_string(key); }

} // namespace

lock_options client_process::any_options() {
    constexpr int waits[] = {0, 200, 2000};
    lock_options options;
    options.ttl = milliseconds(between(600, 1200));
    options.wait = in(20) ? forever : milliseconds(waits[between(0, 2)]);
    options.renew = in(80);
    options.fencing = true;
    options.lock_delay = milliseconds(terms_.lock_delay && in(10) ? 300 : 0);
    return options;
}

asio::awaitable<void> client_process::take_turns() {
    while (!over_) {
        const int kind = between(1, 100);
        if (kind <= 20)
            co_await take_permit();
        else if (kind <= 40)
            co_await take_several();
        else if (kind <= 60 && terms_.reads)
            co_await take_shared();
        else if (kind <= 75 && terms_.leads)
            co_await take_lead();
        else
            co_await take_one();
        co_await sleep(0, 40);
    }
    ++ended_;
    news_->wake();
}

asio::awaitable<void> client_process::take_one() {
    const auto key = static_cast<std::uint32_t>(between(0, single_keys - 1));
    lock_options options = any_options();
    const owner me;
    const bool enters_again = in(20);
    if (enters_again) options.owner = &me;
    const auto asked = now();
    lease held = co_await acquire_one(key_name(key), options);
    if (!held) co_return;
    lease inner;
    if (enters_again) inner = co_await acquire_one(key_name(key), options);
    std::vector<written> what;
    what.push_back({&held, key, nullptr});
    co_await write_under(std::move(what), asked);
    if (in(10)) co_await held.async_extend(milliseconds(between(600, 1200)), as_result);
    if (in(70)) co_await held.async_unlock(as_result);
}

asio::awaitable<void> client_process::take_permit() {
    lock_options options = any_options();
    options.permits = permits;
    const auto asked = now();
    lease held = co_await acquire_one("pool", options);
    if (!held) co_return;
    std::vector<written> what;
    what.push_back({&held, static_cast<std::uint32_t>(single_keys + held.slot()), nullptr});
    co_await write_under(std::move(what), asked);
    if (in(70)) co_await held.async_unlock(as_result);
}

asio::awaitable<void> client_process::take_shared() {
    lock_options options = any_options();
    options.mode = in(60) ? mode::read : mode::write;
    const auto asked = now();
    lease held = co_await acquire_one("shared", options);
    if (!held) co_return;
    std::vector<written> what;
    what.push_back({&held, shared_key, nullptr, options.mode == mode::read});
    co_await write_under(std::move(what), asked);
    if (in(70)) co_await held.async_unlock(as_result);
}

asio::awaitable<void> client_process::take_lead() {
    const std::string me = "client " + std::to_string(number_);
    const auto asked = now();
    leadership held = co_await acquire_lead(me, any_options());
    if (!held) co_return;
    std::vector<written> what;
    what.push_back({&held, lead_key, nullptr});
    co_await write_under(std::move(what), asked);
    if (in(30)) co_await held.async_proclaim(me + " again", as_result);
    if (in(70)) co_await held.async_unlock(as_result);
}

asio::awaitable<void> client_process::follow() {
    leader_mark known;
    leader_mark highest;
    for (;;) {
        auto [failure, seen] = co_await locks_.async_observe("lead", known, as_result);
        if (failure == errc::closed) co_return;
        if (failure) {
            co_await sleep(10, 100);
            continue;
        }
        known = seen.mark;
        if (!seen.present) continue;
        const bool falls = seen.mark.term < highest.term ||
                           (seen.mark.term == highest.term && seen.mark.version < highest.version);
        log_.resource_of(lead_key).wronged += falls;
        highest = seen.mark;
    }
}

asio::awaitable<void> client_process::take_several() {
    std::vector<std::uint32_t> numbers(single_keys);
    std::iota(numbers.begin(), numbers.end(), 0u);
    std::ranges::shuffle(numbers, random_);
    numbers.resize(static_cast<std::size_t>(between(2, single_keys)));
    std::vector<std::string> names;
    for (const std::uint32_t number : numbers)
        names.push_back(key_name(number));
    const lock_options options = any_options();
    const auto asked = now();
    lease_set held = co_await acquire_all(names, options);
    if (!held) co_return;
    std::vector<written> what;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        what.push_back({&held[i], numbers[i], nullptr});
    co_await write_under(std::move(what), asked);
    if (in(70)) co_await held.async_unlock(as_result);
}

asio::awaitable<void> client_process::write_under(std::vector<written> all, std::int64_t asked) {
    const auto granted = now();
    const auto valid = [&] {
        return std::ranges::all_of(all, [](const written& each) { return each.held->valid(); });
    };
    if (!valid()) co_return;
    for (written& each : all) {
        each.record = log_.begin_hold(number_);
        if (each.record == nullptr) co_return;
        each.record->asked = asked;
        each.record->key = each.key;
        each.record->token = each.held->fencing_token().value();
        each.record->reads = each.reads;
        each.record->granted = granted;
        each.record->last_valid = granted;
    }
    const bool to_the_end = in(4); // as one that forgets to look
    for (auto writes = between(1, 12); writes > 0 || to_the_end; --writes) {
        const auto looked = now();
        if (!valid()) co_return;
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

asio::awaitable<void> client_process::take_long_leases() {
    lock_options options;
    options.ttl = std::chrono::hours(1);
    options.renew = false;
    while (!over_) {
        options.wait = milliseconds(in(50) ? 0 : 500);
        lease held = co_await acquire_one("long:" + std::to_string(number_), options);
        co_await sleep(0, 200);
        if (held && in(50)) co_await held.async_unlock(as_result);
    }
    ++ended_;
    news_->wake();
}

} // namespace redlock::chaos
