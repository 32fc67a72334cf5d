// How a client leads, and follows who does.

#include "chaos/client_process.hpp"

#include <string>

namespace redlock::chaos {

asio::awaitable<void> client_process::take_lead() {
    const std::string me = "client " + std::to_string(number_);
    const auto asked = now();
    leadership held = co_await acquire_lead(me, any_options());
    if (!held) co_return;
    std::vector<written> what;
    what.push_back({&held, lead_key});
    if (!begin_to_write(what, asked)) co_return;
    log_.page_of(number_).count(deed::lead);
    co_await go_on_writing(what);
    if (in(50)) {
        auto [failure] = co_await held.async_proclaim(me + " again", as_result);
        if (!failure) log_.page_of(number_).count(deed::proclaim);
    }
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
        log_.page_of(number_).count(deed::observe);
        const bool falls = seen.mark.term < highest.term ||
                           (seen.mark.term == highest.term && seen.mark.version < highest.version);
        log_.resource_of(lead_key).wronged += falls;
        highest = seen.mark;
    }
}

} // namespace redlock::chaos
