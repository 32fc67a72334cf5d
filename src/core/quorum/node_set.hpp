#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

namespace redlock::core {

inline constexpr unsigned max_nodes = 63;

/// Some of the nodes, by their indices.
class node_set {
public:
    constexpr node_set() noexcept = default;

    static constexpr node_set all_of(unsigned count) noexcept {
        assert(count <= max_nodes);
        return node_set((std::uint64_t{1} << count) - 1);
    }
    static constexpr node_set just(unsigned node) noexcept { return node_set(bit(node)); }

    constexpr bool has(unsigned node) const noexcept { return (bits_ & bit(node)) != 0; }
    constexpr bool empty() const noexcept { return bits_ == 0; }
    constexpr unsigned size() const noexcept { return static_cast<unsigned>(std::popcount(bits_)); }

    constexpr void add(unsigned node) noexcept { bits_ |= bit(node); }
    constexpr void remove(unsigned node) noexcept { bits_ &= ~bit(node); }
    constexpr void set(unsigned node, bool is_in) noexcept { is_in ? add(node) : remove(node); }

    constexpr node_set operator&(node_set other) const noexcept { return node_set(bits_ & other.bits_); }
    constexpr node_set operator|(node_set other) const noexcept { return node_set(bits_ | other.bits_); }
    /// Those that are not in the other.
    constexpr node_set operator-(node_set other) const noexcept { return node_set(bits_ & ~other.bits_); }
    constexpr node_set& operator&=(node_set other) noexcept { return *this = *this & other; }
    constexpr node_set& operator|=(node_set other) noexcept { return *this = *this | other; }
    constexpr node_set& operator-=(node_set other) noexcept { return *this = *this - other; }
    constexpr bool operator==(const node_set&) const noexcept = default;

    /// In the order of their indices. The set may change meanwhile: what was in it at first counts.
    class iterator {
    public:
        constexpr explicit iterator(std::uint64_t left) noexcept : left_(left) {}
        constexpr std::uint32_t operator*() const noexcept {
            return static_cast<std::uint32_t>(std::countr_zero(left_));
        }
        constexpr iterator& operator++() noexcept {
            left_ &= left_ - 1;
            return *this;
        }
        constexpr bool operator==(const iterator&) const noexcept = default;

    private:
        std::uint64_t left_;
    };
    constexpr iterator begin() const noexcept { return iterator(bits_); }
    constexpr iterator end() const noexcept { return iterator(0); }

private:
    constexpr explicit node_set(std::uint64_t bits) noexcept : bits_(bits) {}
    static constexpr std::uint64_t bit(unsigned node) noexcept { return std::uint64_t{1} << node; }

    std::uint64_t bits_ = 0; ///< one for each node
};

} // namespace redlock::core
