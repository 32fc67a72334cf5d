#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace redlock::lock {

class owned_lock;

/// The keys of one client that owners have or ask for.
class owned_locks {
public:
    owned_lock& at(std::uint64_t owner, std::string_view full_key);
    /// Not any more.
    void forget(owned_lock& gone) noexcept;
    /// The strand will never run again.
    void abandon() noexcept;

private:
    struct name {
        std::uint64_t owner;
        std::string full_key;
        bool operator==(const name&) const = default;
    };
    struct hash_of {
        std::size_t operator()(const name& n) const noexcept {
            return std::hash<std::string>()(n.full_key) ^
                   static_cast<std::size_t>(n.owner * 0x9e3779b97f4a7c15u);
        }
    };

    std::unordered_map<name, std::shared_ptr<owned_lock>, hash_of> locks_;
};

} // namespace redlock::lock
