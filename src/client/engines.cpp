#include "client/engines.hpp"

#include "client/configuration.hpp"
#include "client/entropy.hpp"
#include "engines/etcd/make_engine.hpp"
#include "engines/memory/memory_engine.hpp"
#include "engines/pair/pair_engine.hpp"
#include "engines/redis/redis_engine.hpp"
#include "engines/sql/mariadb/make_engine.hpp"
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

using strand = boost::asio::strand<boost::asio::any_io_executor>;

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

/// An engine of its own, whose address stands alone.
struct lone_engine {
    bool (*is_address)(std::string_view);
    std::string_view scheme;
    std::string_view name; ///< for people
    decltype(postgresql::make_engine)* make;
};

constexpr lone_engine lone_engines[] = {
    {postgresql::is_address, "postgresql://", "PostgreSQL", postgresql::make_engine},
    {mariadb::is_address, "mysql://", "MariaDB", mariadb::make_engine},
    {etcd::is_address, "etcd://", "etcd", etcd::make_engine},
    {zookeeper::is_address, zookeeper::scheme, "ZooKeeper", zookeeper::make_engine},
};

/// What an error says without the meaning of its code, which would stand there twice.
std::string sentence_of(const std::system_error& e) {
    std::string_view sentence = e.what();
    const std::string meaning = ": " + e.code().message();
    if (sentence.ends_with(meaning)) sentence.remove_suffix(meaning.size());
    return std::string(sentence);
}

std::unique_ptr<engine::engine> make_lone_engine(const lone_engine& what, const config& c, const strand& on,
                                                 turn::turns& t) try {
    return what.make(c, on, system_entropy(), t);
} catch (const std::system_error& e) {
    throw std::system_error(e.code(), fmt::format("config::nodes[0]: {}", sentence_of(e)));
}

std::unique_ptr<engine::engine> make_engine_of_nodes(const config& c, const strand& on, turn::turns& t) {
    if (const auto name = memory_named_by(c))
        return std::make_unique<memory::memory_engine>(
            memory::store::named(memory::checked_name(*name)), c.observer, t,
            [on](std::function<void()> later) { boost::asio::post(on, std::move(later)); }, c.holder_label);
    for (const lone_engine& each : lone_engines)
        if (is_alone(c, each.is_address, each.scheme)) return make_lone_engine(each, c, on, t);
    redis::settings settings = quorum_settings_of(c);
    std::vector<node::address> addresses = addresses_of(c);
    const node::node_settings each = node_settings_of(c, addresses);
    return std::make_unique<redis::redis_engine>(on, std::move(settings), each, std::move(addresses), t);
}

/// What engines are called where two of a kind were named.
std::string_view kind_of(std::string_view address) {
    if (names_memory(address)) return "memory";
    for (const lone_engine& each : lone_engines)
        if (each.is_address(address)) return each.name;
    return "Redis";
}

/// The same settings, with what `config::backup` names as the only node. Two of a kind would fail together;
/// in memory, where tests are, that is what they are there for.
config backup_of(const config& c) {
    for (const std::string& node : c.nodes)
        if (kind_of(node) == kind_of(c.backup) && (!names_memory(node) || node == c.backup))
            throw std::system_error(
                errc::invalid_option,
                fmt::format("config::backup must name another engine than config::nodes, not {} as well",
                            names_memory(node) ? "the same memory" : kind_of(node)));
    config only = c;
    only.nodes = {c.backup};
    only.backup.clear();
    return only;
}

/// What is said of the only node is said of `config::backup`.
template <class Make>
auto naming_backup(Make make) try {
    return make();
} catch (const std::system_error& e) {
    constexpr std::string_view as_node = "config::nodes[0]";
    std::string sentence = sentence_of(e);
    if (sentence.starts_with(as_node)) sentence.replace(0, as_node.size(), "config::backup");
    throw std::system_error(e.code(), sentence);
}

} // namespace

std::shared_ptr<const time::time_source> clock_of(const config& c) {
    if (const auto name = memory_named_by(c)) {
        const auto shared = memory::store::named(memory::checked_name(*name));
        return {shared, &shared->clock()};
    }
    if (!c.backup.empty()) return naming_backup([&] { return clock_of(backup_of(c)); });
    return {std::shared_ptr<void>(), &time::real_time()};
}

std::unique_ptr<engine::engine> make_engine(const config& c, const strand& on, turn::turns& t) {
    if (c.backup.empty()) return make_engine_of_nodes(c, on, t);
    const config backup = backup_of(c);
    auto first = make_engine_of_nodes(c, on, t);
    auto second = naming_backup([&] { return make_engine_of_nodes(backup, on, t); });
    return std::make_unique<pair::pair_engine>(std::move(first), std::move(second), t);
}

} // namespace redlock::lock
