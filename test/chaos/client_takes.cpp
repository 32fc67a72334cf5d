// What a client takes.

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
        if (kind <= 16)
            co_await take_permit();
        else if (kind <= 32)
            co_await take_several();
        else if (kind <= 42)
            co_await take_to_keep();
        else if (kind <= 53)
            co_await take_twice();
        else if (kind <= 73 && terms_.reads)
            co_await take_shared();
        else if (kind <= 85 && terms_.leads)
            co_await take_lead();
        else
            co_await take_one();
        co_await sleep(0, 40);
    }
    ++ended_;
    news_->wake();
}

asio::awaitable<void> client_process::take_one() {
    const auto key = any_single_key();
    const auto asked = now();
    lease held = co_await acquire_one(key_name(key), any_options());
    if (!held) co_return;
    std::vector<written> what;
    what.push_back({&held, key});
    if (!begin_to_write(what, asked)) co_return;
    log_.page_of(number_).count(deed::lock);
    co_await go_on_writing(what);
    if (in(10)) co_await held.async_extend(milliseconds(between(600, 1200)), as_result);
    if (in(70)) co_await held.async_unlock(as_result);
}

asio::awaitable<void> client_process::take_twice() {
    const std::uint32_t key = any_single_key();
    const owner me;
    lock_options options = any_options();
    options.owner = &me;
    const auto asked = now();
    lease outer = co_await acquire_one(key_name(key), options);
    if (!outer) co_return;
    lease inner = co_await acquire_one(key_name(key), options);
    page& mine = log_.page_of(number_);
    mine.astray += inner && inner.fencing_token() != outer.fencing_token();
    std::vector<written> what;
    what.push_back({&outer, key, inner ? &inner : nullptr});
    if (!begin_to_write(what, asked)) co_return;
    if (inner) mine.count(deed::enter);
    co_await go_on_writing(what);
    if (in(10)) co_await outer.async_extend(milliseconds(between(600, 1200)), as_result);
    if (!outer.valid()) { // it is not taken anew behind his back
        const lease anew = co_await acquire_one(key_name(key), options);
        mine.astray += anew ? 1 : 0;
    } else if (inner && in(50)) { // the key is his until the last is given back
        co_await outer.async_unlock(as_result);
        what.front() = {&inner, key, nullptr, what.front().record};
        co_await go_on_writing(what);
    }
    if (in(70)) co_await outer.async_unlock(as_result);
    if (in(70)) co_await inner.async_unlock(as_result);
}

asio::awaitable<void> client_process::take_permit() {
    lock_options options = any_options();
    options.permits = permits;
    const auto asked = now();
    lease held = co_await acquire_one("pool", options);
    if (!held) co_return;
    std::vector<written> what;
    what.push_back({&held, static_cast<std::uint32_t>(single_keys + held.slot())});
    if (!begin_to_write(what, asked)) co_return;
    log_.page_of(number_).count(deed::take_permit);
    co_await go_on_writing(what);
    if (in(70)) co_await held.async_unlock(as_result);
}

asio::awaitable<void> client_process::take_shared() {
    lock_options options = any_options();
    options.mode = in(50) ? mode::read : mode::write;
    const auto asked = now();
    lease held = co_await acquire_one("shared", options);
    if (!held) co_return;
    std::vector<written> what;
    const bool reads = options.mode == mode::read;
    what.push_back({&held, shared_key, nullptr, nullptr, reads});
    if (!begin_to_write(what, asked)) co_return;
    log_.page_of(number_).count(reads ? deed::read : deed::write);
    co_await go_on_writing(what);
    if (!reads && in(70)) {
        co_await downgrade(what.front());
        co_await go_on_writing(what);
    }
    if (in(70)) co_await held.async_unlock(as_result);
}

asio::awaitable<void> client_process::take_to_keep() {
    lock_options options = any_options();
    options.keep = milliseconds(between(200, 800));
    options.wait = milliseconds(in(50) ? 0 : 200); // what is kept counts from the asking on
    const auto asked = now();
    lease held = co_await acquire_one("kept", options);
    if (!held) co_return;
    std::vector<written> what;
    what.push_back({&held, kept_key});
    if (!begin_to_write(what, asked)) co_return;
    co_await go_on_writing(what);
    if (in(90)) co_await keep(what.front(), options.keep);
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
        what.push_back({&held[i], numbers[i]});
    if (!begin_to_write(what, asked)) co_return;
    log_.page_of(number_).count(deed::lock_several);
    co_await go_on_writing(what);
    if (in(70)) co_await held.async_unlock(as_result);
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
