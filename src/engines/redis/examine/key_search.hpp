#pragma once

#include <redlock/key_list.hpp>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace redlock::redis {

/// Which of the keys that nodes have are those of locks, of this library's clients: those whose value is one
/// of its tokens, and those beside which somebody reads, or waits. It is told what the nodes say, and asks
/// nobody.
class key_search {
public:
    /// Of keys that begin like this; at most so many.
    key_search(std::string beginning, std::size_t most) : beginning_(std::move(beginning)), most_(most) {}

    /// For `SCAN … MATCH`. Where what stands beside a key has another name (`tagged`, of a cluster) it may
    /// begin in another way than the key.
    std::string pattern(bool tagged = false) const;
    /// A node has a key of this name. Whether its value is of interest.
    bool is_candidate(std::string_view name, bool tagged = false);
    /// The value of one.
    void has(std::string_view name, std::string_view value);
    bool is_full() const noexcept { return found_.size() >= most_; }
    /// A node has more keys than were looked at.
    void gave_up() noexcept { more_ = true; }
    key_list result() &&;

private:
    void add(std::string_view name);

    const std::string beginning_;
    const std::size_t most_;
    std::set<std::string, std::less<>> found_;
    bool more_ = false;
};

} // namespace redlock::redis
