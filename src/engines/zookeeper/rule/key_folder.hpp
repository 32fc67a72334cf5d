#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace redlock::zookeeper {

/// The name of the folder of a key: bytes that a name may not have, or that a shell would take for something
/// else, are written as `%XX`.
std::string folder_name(std::string_view full_key);
/// The key of a folder; nothing where it is no name that `folder_name` gives.
std::optional<std::string> key_of_folder(std::string_view name);

/// What stands in the folder of a key: the node of one try, of a client that waits or of the holder.
struct place_node {
    std::string name;
    std::string token;
    std::int32_t sequence = 0; ///< that the server has numbered it with
    bool reads = false;

    /// Whether it was made before the other. The numbers run over: of two that are there at the same time the
    /// older is the one from which it is nearer to the other upwards.
    bool is_before(const place_node& other) const noexcept {
        const auto distance =
            static_cast<std::uint32_t>(other.sequence) - static_cast<std::uint32_t>(sequence);
        return distance != 0 && distance < (std::uint32_t{1} << 31);
    }
};

/// The beginning of the name of a node; the server puts a number behind it.
std::string place_name(std::string_view token, bool reads = false);
/// Nothing where it is nobody's of this library.
std::optional<place_node> read_place(std::string_view name);

/// Likewise: that somebody reads. It stays when his node goes with a session that died.
struct reader_mark {
    std::string name;
    std::string token;
    std::chrono::milliseconds life; ///< that long he may believe to read since he last knew of his node
};
std::string mark_name(std::string_view token, std::chrono::milliseconds life);
std::optional<reader_mark> read_mark(std::string_view name);

/// Likewise: what the holder proclaims, while his node is there. It is of the same session.
inline constexpr std::string_view leader_name = "leader";
std::string leader_path(const std::string& folder);

} // namespace redlock::zookeeper
