#include "client/engines.hpp"

#include "client/configuration.hpp"
#include "client/entropy.hpp"
#include "engines/memory/memory_engine.hpp"
#include "engines/redis/redis_engine.hpp"
#include "engines/sql/postgresql/make_engine.hpp"
#include "engines/zookeeper/make_engine.hpp"

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

constexpr std::string_view memory_scheme = "memory://";

bool names_memory(std::string_view node) { return node.starts_with(memory_scheme); }

/// Whether the nodes are of that kind, which is alone in the list then.
bool is_alone(const config& c, bool (*is_such)(std::string_view), std::string_view scheme) {
    if (std::ranges::none_of(c.nodes, is_such)) return false;
    if (c.nodes.size() != 1)
        throw std::system_error(
            errc::invalid_option,
            fmt::format("config::nodes must list {} alone, not among {} nodes", scheme, c.nodes.size()));
    return true;
}

/// The name behind memory://; nothing when the nodes are of another kind.
std::optional<std::string_view> memory_named_by(const config& c) {
    if (!is_alone(c, names_memory, memory_scheme)) return std::nullopt;
    return std::string_view(c.nodes.front()).substr(memory_scheme.size());
}

bool is_postgresql(const config& c) { return is_alone(c, postgresql::is_address, "postgresql://"); }

bool is_zookeeper(const config& c) { return is_alone(c, zookeeper::is_address, zookeeper::scheme); }

using maker = std::unique_ptr<engine::engine> (*)(const config&,
                                                  const boost::asio::strand<boost::asio::any_io_executor>&,
                                                  core::entropy&, turn::turns&);

/// What the code says stands at the end of the sentence, and would stand there twice.
std::unique_ptr<engine::engine> make_by(maker make, const config& c,
                                        const boost::asio::strand<boost::asio::any_io_executor>& on,
                                        turn::turns& t) try {
    return make(c, on, system_entropy(), t);
} catch (const std::system_error& e) {
    std::string_view sentence = e.what();
    const std::string meaning = ": " + e.code().message();
    if (sentence.ends_with(meaning)) sentence.remove_suffix(meaning.size());
    throw std::system_error(e.code(), fmt::format("config::nodes[0]: {}", sentence));
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
            [on](std::function<void()> later) { boost::asio::post(on, std::move(later)); }, c.holder_label);
    if (is_postgresql(c)) return make_by(postgresql::make_engine, c, on, t);
    if (is_zookeeper(c)) return make_by(zookeeper::make_engine, c, on, t);
    redis::settings settings = quorum_settings_of(c);
    std::vector<node::address> addresses = addresses_of(c);
    const node::node_settings each = node_settings_of(c, addresses);
    return std::make_unique<redis::redis_engine>(on, std::move(settings), each, std::move(addresses), t);
}

} // namespace redlock::lock
