#include "chaos/cluster.hpp"

#include <fmt/format.h>

namespace redlock::chaos {

cluster::cluster(unsigned seed, std::chrono::milliseconds guard, std::size_t holds_of_each)
    : seed_(seed),
      guard_(guard),
      holds_of_each_(holds_of_each),
      log_(folder_.path() / "history", clients, holds_of_each),
      nodes_(node_count, {.directives = {"notify-keyspace-events KEA"}, .password = {}, .persistent = true}) {
    for (auto& site : ways_)
        for (auto& node : nodes_)
            site.emplace_back(node.port());
    for (std::size_t number = 0; number < clients; ++number)
        start_client(number);
}

void cluster::start_client(std::size_t number) {
    std::vector<std::string> words{REDLOCK_CHAOS_CLIENT,           folder_.path() / "history",
                                   std::to_string(number),         std::to_string(clients),
                                   std::to_string(holds_of_each_), std::to_string(seed_ += 1),
                                   std::to_string(guard_.count())};
    for (const auto& way : ways_[number * site_count / clients])
        words.push_back(way.uri());
    clients_[number].emplace(words);
}

std::vector<std::string> cluster::end_clients(std::chrono::milliseconds bound) {
    std::vector<std::string> found;
    const auto deadline = std::chrono::steady_clock::now() + bound;
    for (auto& client : clients_)
        client->close_input();
    for (std::size_t number = 0; number < clients; ++number) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
        const auto status = clients_[number]->wait(std::max(left, std::chrono::milliseconds(0)));
        if (!status) found.push_back(fmt::format("client {} waits for something that does not end", number));
        if (status.value_or(0) != 0)
            found.push_back(fmt::format("client {} ended with status {}", number, *status));
    }
    return found;
}

std::vector<std::string> cluster::keys_left() {
    constexpr std::string_view fence = ":redlock-fence";
    std::vector<std::string> found;
    for (std::size_t i = 0; i < node_count; ++i)
        for (const auto& key : node(i).command({"KEYS", "*"}).elements)
            if (!key.text.ends_with(fence)) found.push_back(fmt::format("node {} has {}", i, key.text));
    return found;
}

} // namespace redlock::chaos
