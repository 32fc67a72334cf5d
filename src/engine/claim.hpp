#pragma once

#include <redlock/detail/key_text.hpp>

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

namespace redlock::engine {

/// One try to have a key, and what is held once it was granted. The engine that made it knows more of it.
/// Shared by everything that deals with the grant, and by whoever it is handed on to.
class claim {
public:
    claim(const claim&) = delete;
    claim& operator=(const claim&) = delete;

    std::string_view key() const noexcept { return full_key.view().substr(prefix_size_); }

    /// What stands behind a lock's key in that of its fence: under the same prefix, for the sake of access
    /// rules. No lock may have a key that ends like this, whatever the engine.
    static constexpr std::string_view fence_suffix = ":redlock-fence";
    /// Likewise in that of its queue.
    static constexpr std::string_view queue_suffix = ":redlock-queue";

    static constexpr bool is_beside_a_lock(std::string_view key) noexcept {
        return key.ends_with(fence_suffix) || key.ends_with(queue_suffix);
    }

    const detail::key_text full_key; ///< prefix included

protected:
    claim(std::string_view prefix, detail::key_text&& key)
        : full_key(prefix.empty() ? std::move(key) : detail::key_text(prefix, key)),
          prefix_size_(static_cast<std::uint32_t>(prefix.size())) {}
    /// The same key.
    explicit claim(const claim* other) : full_key(other->full_key), prefix_size_(other->prefix_size_) {}
    /// Whoever made it destroys it, by its `std::shared_ptr`.
    ~claim() = default;

private:
    const std::uint32_t prefix_size_;
};

using claim_pointer = std::shared_ptr<const claim>;

} // namespace redlock::engine
