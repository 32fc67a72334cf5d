#pragma once

#include "core/lock_token.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace redlock::zookeeper {

/// Who a key belongs to, as the data of its folder says. It stays when the holder's node goes with a session
/// that died: only a release, or the next holder, writes it anew.
struct lock_record {
    std::string token;              ///< of the holder, as it stands in the name of his node
    std::chrono::milliseconds life; ///< that long he may believe to have it since he last knew of his node
    /// The fencing token, where the record was written again behind the grant; otherwise the number of the
    /// transaction that wrote it.
    std::uint64_t fence = 0;
    std::string label{}; ///< who the holder is, for people

    std::uint64_t current_fence(std::int64_t written_by) const noexcept {
        return fence != 0 ? fence : static_cast<std::uint64_t>(written_by);
    }
    std::string text() const;
};

/// What the data of a folder says.
struct folder_content {
    bool is_ours = true;                 ///< otherwise somebody else keeps something there
    std::optional<lock_record> holder{}; ///< nothing when the key is free
    bool is_shared = false;              ///< nobody's alone: readers come and go, and each leaves a mark
};

/// As data of a folder.
inline constexpr std::string_view shared_record = "readers";

folder_content read_content(std::string_view data);

/// The data of a mark.
struct mark_content {
    std::uint64_t fence = 0; ///< as in a record
    std::string label{};
};
std::string mark_text(const mark_content& c);
/// Empty where it is none.
mark_content read_mark_content(std::string_view data);

} // namespace redlock::zookeeper
