#pragma once

#include "support/redis_server.hpp"

#include <cstddef>
#include <deque>

namespace redlock::test {

/// Several independent servers, started at once. Not thread-safe.
class node_set {
public:
    explicit node_set(std::size_t count, const redis_options& options = {});

    std::size_t size() const noexcept { return servers_.size(); }
    redis_server& operator[](std::size_t index) { return servers_.at(index); }
    auto begin() noexcept { return servers_.begin(); }
    auto end() noexcept { return servers_.end(); }

    std::vector<std::string> uris() const;
    std::vector<std::string> unix_uris() const;

    /// On how many servers the key exists. All of them must be up.
    std::size_t holders(const std::string& key);

private:
    std::deque<redis_server> servers_;
};

} // namespace redlock::test
