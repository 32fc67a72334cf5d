#include "look/permits.hpp"

#include "nodes/node_progress.hpp"

#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace redlock::tool {

std::vector<std::string> permit_keys(const std::string& key, std::uint64_t permits) {
    assert(permits >= 1 && permits <= most_permits);
    if (permits == 1) return {key};
    std::vector<std::string> keys;
    for (std::uint64_t permit = 0; permit < permits; ++permit)
        keys.push_back(fmt::format("{}:{}", key, permit));
    return keys;
}

boost::asio::awaitable<permit_looks> look_at(client& locks, std::string key, std::uint64_t permits) {
    const auto executor = co_await boost::asio::this_coro::executor;
    permit_looks all;
    for (const std::string& one : permit_keys(key, permits)) {
        const node_progress progress(executor, locks, "looking at " + one);
        key_report report = co_await locks.async_inspect(one);
        verdict found = judge(report);
        all.push_back({std::move(report), std::move(found)});
    }
    co_return all;
}

bool have_all_answered(const permit_looks& looks) noexcept {
    return std::ranges::all_of(looks, [](const permit_look& l) { return l.found.answers == l.found.all; });
}

} // namespace redlock::tool
