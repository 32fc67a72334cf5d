#pragma once

#include <cassert>
#include <cstdint>
#include <type_traits>

namespace redlock::node {

/// What a receiver gives along with a request, to know by it what a reply is the answer to: of which node,
/// which of the things that it asks (the kind, of its own numbering), and in which form the command went. In
/// four bytes, for one stands in the queue of each node for every request on its way. Nodes carry it as it
/// is.
///
/// Value-initialised it is that of node 0, kind 0 and form 0.
class reply_tag {
public:
    constexpr reply_tag() noexcept = default;

    static constexpr reply_tag of(std::uint32_t node) noexcept { return of(node, 0u); }
    /// Nodes up to 255, kinds up to 65 535.
    template <class Kind>
    static constexpr reply_tag of(std::uint32_t node, Kind kind) noexcept {
        const auto number = static_cast<std::uint32_t>(kind);
        assert(node <= byte && number <= most_kind);
        return reply_tag(number << kind_at | node);
    }
    /// Of a receiver to which its requests are no more than numbers.
    static constexpr reply_tag numbered(std::uint32_t number) noexcept { return reply_tag(number); }

    constexpr std::uint32_t node() const noexcept { return bits_ & byte; }
    template <class Kind = std::uint32_t>
    constexpr Kind kind() const noexcept {
        return static_cast<Kind>(bits_ >> kind_at);
    }
    template <class Form = std::uint32_t>
    constexpr Form form() const noexcept {
        return static_cast<Form>(bits_ >> form_at & byte);
    }
    constexpr std::uint32_t number() const noexcept { return bits_; }

    /// The same in this form; up to 255.
    template <class Form>
    constexpr reply_tag in_form(Form form) const noexcept {
        const auto number = static_cast<std::uint32_t>(form);
        assert(number <= byte);
        return reply_tag((bits_ & ~(byte << form_at)) | number << form_at);
    }
    /// What is the tag of node 0 as that of another.
    constexpr reply_tag for_node(std::uint32_t index) const noexcept { return reply_tag(bits_ | index); }

    constexpr bool operator==(const reply_tag&) const noexcept = default;

private:
    explicit constexpr reply_tag(std::uint32_t bits) noexcept : bits_(bits) {}

    static constexpr std::uint32_t byte = 0xff;
    static constexpr std::uint32_t most_kind = 0xffff;
    static constexpr unsigned form_at = 8;
    static constexpr unsigned kind_at = 16;

    std::uint32_t bits_;
};

// Whole rings of them are made before there is a request to fill them.
static_assert(std::is_trivially_default_constructible_v<reply_tag> && sizeof(reply_tag) == 4);

} // namespace redlock::node
