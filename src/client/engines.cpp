#include "client/engines.hpp"

#include "client/configuration.hpp"
#include "engines/memory/memory_engine.hpp"
#include "engines/redis/redis_engine.hpp"

#include <boost/asio/post.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace redlock::lock {

namespace {

/// The name behind memory://; nothing when the nodes are of another kind.
std::optional<std::string_view> memory_named_by(const config& c) {
    constexpr std::string_view scheme = "memory://";
    if (std::ranges::none_of(c.nodes, [&](const std::string& n) { return n.starts_with(scheme); }))
        return std::nullopt;
    if (c.nodes.size() != 1)
        throw std::system_error(
            errc::invalid_option,
            fmt::format("config::nodes must list memory:// alone, not among {} nodes", c.nodes.size()));
    return std::string_view(c.nodes.front()).substr(scheme.size());
}

} // namespace

std::shared_ptr<const time::time_source> clock_of(const config& c) {
    if (const auto name = memory_named_by(c)) {
        const auto shared = memory::store::named(memory::checked_name(*name));
        return {shared, &shared->clock()};
    }
    return {std::shared_ptr<void>(), &time::real_time()};
}

std::unique_ptr<engine::engine>
make_engine(const config& c, const boost::asio::strand<boost::asio::any_io_executor>& on, turn::turns& t) {
    if (const auto name = memory_named_by(c))
        return std::make_unique<memory::memory_engine>(
            memory::store::named(memory::checked_name(*name)), c.observer, t,
            [on](std::function<void()> later) { boost::asio::post(on, std::move(later)); });
    redis::settings settings = quorum_settings_of(c);
    std::vector<node::address> addresses = addresses_of(c);
    const node::node_settings each = node_settings_of(c, addresses);
    return std::make_unique<redis::redis_engine>(on, std::move(settings), each, std::move(addresses), t);
}

} // namespace redlock::lock
