#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace redlock::resp {

class command_pattern;

/// Encoded commands that stay where they are until all of them are let go of together: what several nodes are
/// sent stands here once. Not thread-safe.
class command_batch {
public:
    /// Encodes one command, as `append_command` does. It follows the one before without a gap, wherever there
    /// is room for it. Valid until `clear`. Throws std::bad_alloc.
    std::string_view append(std::span<const std::string_view> args);
    /// Likewise, with these two arguments.
    std::string_view append(const command_pattern& pattern, std::string_view first, std::string_view second);

    /// Keeps the memory of no more than a usual batch.
    void clear() noexcept;

private:
    struct chunk {
        std::unique_ptr<char[]> bytes;
        std::size_t size;
    };

    void make_room(std::size_t most) {
        if (room_ < most) add_chunk(most);
    }
    void add_chunk(std::size_t least);
    std::string_view written_to(char* end) noexcept;

    std::vector<chunk> chunks_;
    char* end_ = nullptr; ///< of what was written to the last chunk
    std::size_t room_ = 0;
};

} // namespace redlock::resp
