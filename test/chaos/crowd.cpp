#include "chaos/crowd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace redlock::chaos {

crowd::crowd(deployment& servers, unsigned seed, std::size_t holds_of_each)
    : seed_(seed),
      terms_(servers.terms()),
      holds_of_each_(holds_of_each),
      log_(folder_.path() / "history", size, holds_of_each) {
    for (std::size_t site = 0; site < site_count; ++site)
        addresses_[site] = servers.addresses(site);
    for (std::size_t number = 0; number < size; ++number)
        start(number);
}

void crowd::start(std::size_t number) {
    std::vector<std::string> words{REDLOCK_CHAOS_CLIENT,           folder_.path() / "history",
                                   std::to_string(number),         std::to_string(size),
                                   std::to_string(holds_of_each_), std::to_string(seed_ += 1)};
    std::ranges::copy(terms_.words(), std::back_inserter(words));
    std::ranges::copy(addresses_[number * site_count / size], std::back_inserter(words));
    clients_[number].emplace(words);
}

faults crowd::known_faults() {
    return {{"client stopped", [this](dice& d, wounds& w) { return stop_one(d, w); }},
            {"client killed", [this](dice& d, wounds&) { return kill_one(d); }}};
}

bool crowd::stop_one(dice& chance, wounds& open) {
    const std::size_t number = chance.below(size);
    if (stopped_[number]) return false;
    stopped_[number] = true;
    clients_[number]->stop();
    open.add(chance.fault_time(), [this, number] {
        clients_[number]->resume();
        stopped_[number] = false;
    });
    return true;
}

bool crowd::kill_one(dice& chance) {
    const std::size_t number = chance.below(size);
    if (stopped_[number] || !mortal(number)) return false;
    clients_[number]->kill();
    start(number);
    return true;
}

std::vector<std::string> crowd::end(std::chrono::milliseconds bound) {
    std::vector<std::string> found;
    const auto deadline = std::chrono::steady_clock::now() + bound;
    for (auto& client : clients_)
        client->close_input();
    for (std::size_t number = 0; number < size; ++number) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
        const auto status = clients_[number]->wait(std::max(left, std::chrono::milliseconds(0)));
        if (!status) found.push_back(fmt::format("client {} waits for something that does not end", number));
        if (status.value_or(0) != 0)
            found.push_back(fmt::format("client {} ended with status {}", number, *status));
    }
    return found;
}

} // namespace redlock::chaos
