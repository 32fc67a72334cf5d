#include "support/node_set.hpp"

namespace redlock::test {

node_set::node_set(std::size_t count, const redis_options& options) {
    for (std::size_t i = 0; i < count; ++i)
        servers_.emplace_back(options, redis_server::without_waiting{});
    for (auto& server : servers_)
        server.await_ready();
}

std::vector<std::string> node_set::uris() const {
    std::vector<std::string> all;
    for (const auto& server : servers_)
        all.push_back(server.uri());
    return all;
}

std::vector<std::string> node_set::unix_uris() const {
    std::vector<std::string> all;
    for (const auto& server : servers_)
        all.push_back(server.unix_uri());
    return all;
}

std::size_t node_set::holders(const std::string& key) {
    std::size_t count = 0;
    for (auto& server : servers_)
        count += server.exists(key) ? 1U : 0U;
    return count;
}

} // namespace redlock::test
