#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string_view>

namespace redlock::sql {

/// Some of the keys that this client gave back, and has not asked for since: their rows are there, and free,
/// unless somebody else has taken them or they were deleted. Of keys that share a place the last is known;
/// one that is known by mistake costs a question. Does no I/O.
class left_rows {
public:
    void given_back(std::string_view key) noexcept {
        const std::size_t mark = mark_of(key);
        place_of(mark) = mark;
    }
    /// Whether it is one of them, which it is no more.
    bool asked_for(std::string_view key) noexcept {
        const std::size_t mark = mark_of(key);
        std::size_t& place = place_of(mark);
        if (place != mark) return false;
        place = nothing;
        return true;
    }

private:
    static constexpr std::size_t places = 1024;
    static constexpr std::size_t nothing = 0;

    static std::size_t mark_of(std::string_view key) noexcept {
        return std::hash<std::string_view>()(key) | 1; // never that of nothing
    }
    std::size_t& place_of(std::size_t mark) noexcept { return places_[(mark >> 1) % places]; }

    std::array<std::size_t, places> places_{};
};

} // namespace redlock::sql
