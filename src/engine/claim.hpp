#pragma once

#include <redlock/detail/key_text.hpp>
#include <redlock/lock_options.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

namespace redlock::engine {

/// What a lock is called: the key that the caller gave, and for one of several permits what tells it from the
/// others, ":2".
struct key_name {
    key_name(detail::key_text&& whole, std::size_t permit_size = 0) noexcept // NOLINT: most are nothing else
        : text(std::move(whole)), permit(static_cast<std::uint8_t>(permit_size)) {}
    key_name(detail::key_text&& whole, redlock::mode wanted) noexcept
        : text(std::move(whole)), mode(wanted) {}

    /// Of those who want to lead.
    static key_name of_leader(std::string_view name) {
        key_name found{detail::key_text(name)};
        found.leads = true;
        return found;
    }

    detail::key_text text;
    std::uint8_t permit = 0; ///< size of that end of the text
    redlock::mode mode = redlock::mode::exclusive;
    bool leads = false;
};

/// One try to have a key, and what is held once it was granted. The engine that made it knows more of it.
/// Shared by everything that deals with the grant, and by whoever it is handed on to.
class claim {
public:
    claim(const claim&) = delete;
    claim& operator=(const claim&) = delete;

    /// As the caller gave it.
    std::string_view key() const noexcept {
        return full_key.view().substr(prefix_size_, full_key.view().size() - prefix_size_ - permit_size_);
    }
    /// Which of several permits it is: empty, or ":2".
    std::string_view permit() const noexcept {
        return full_key.view().substr(full_key.view().size() - permit_size_);
    }

    /// What stands behind a lock's key in that of its fence: under the same prefix, for the sake of access
    /// rules. No lock may have a key that ends like this, whatever the engine.
    static constexpr std::string_view fence_suffix = ":redlock-fence";
    /// Likewise in that of those who read.
    static constexpr std::string_view readers_suffix = ":redlock-readers";
    /// Likewise in that of its queue.
    static constexpr std::string_view queue_suffix = ":redlock-queue";
    /// Likewise in that of what its leader has proclaimed.
    static constexpr std::string_view leader_suffix = ":redlock-leader";

    static constexpr bool is_beside_a_lock(std::string_view key) noexcept {
        return key.ends_with(fence_suffix) || key.ends_with(queue_suffix) || key.ends_with(readers_suffix) ||
               key.ends_with(leader_suffix);
    }

    redlock::mode mode() const noexcept { return mode_; }
    bool reads() const noexcept { return mode_ == redlock::mode::read; }
    bool writes() const noexcept { return mode_ == redlock::mode::write; }
    /// Whether its holder is to be told of to others, with what he proclaims.
    bool leads() const noexcept { return leads_; }

    const detail::key_text full_key; ///< prefix included

protected:
    claim(std::string_view prefix, key_name&& key)
        : full_key(prefix.empty() ? std::move(key.text) : detail::key_text(prefix, key.text)),
          prefix_size_(static_cast<std::uint16_t>(prefix.size())),
          permit_size_(key.permit),
          leads_(key.leads),
          mode_(key.mode) {}
    /// The same key.
    explicit claim(const claim* other)
        : full_key(other->full_key),
          prefix_size_(other->prefix_size_),
          permit_size_(other->permit_size_),
          leads_(other->leads_),
          mode_(other->mode_) {}
    /// Whoever made it destroys it, by its `std::shared_ptr`.
    ~claim() = default;

private:
    const std::uint16_t prefix_size_; // no key is longer than 4096 bytes with it
    const std::uint8_t permit_size_;
    const bool leads_;
    const redlock::mode mode_;
};

using claim_pointer = std::shared_ptr<const claim>;

} // namespace redlock::engine
