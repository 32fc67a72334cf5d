#pragma once

#include "look/key_history.hpp"

#include <redlock/key_list.hpp>
#include <redlock/key_report.hpp>

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace redlock::tool {

/// What `board_key`s are ordered by; where that is the same, by name.
enum class key_order {
    name,
    age,     ///< first what has been as it is for the longest time
    grants,  ///< first what changes hands most often
    waiting, ///< first what most wait for
};

/// A key on the board.
struct board_key {
    std::string name{};
    key_history history{};
    key_report report{};        ///< of the last look
    std::optional<double> rate; ///< grants a second that were seen lately; nothing before the second look
};

/// The keys that a search found, and what was seen of them look after look.
class key_board {
public:
    using time_point = key_history::time_point;

    /// Has room for at most so many keys, and at least one.
    explicit key_board(std::size_t most);

    /// Takes in a search. Keys that it did not find are forgotten, others keep their history. Where there are
    /// more than there is room for, those that were on the board stay, and the first of the others come.
    void found(const key_list& keys);

    /// Those on the board, in the order of their names.
    std::vector<std::string> names() const;

    /// Takes in a look at a key; nothing when it is not on the board.
    void saw(key_report report, const std::string& name, time_point now);

    /// All that were looked at.
    std::vector<const board_key*> in_order(key_order order) const;

    /// Found, and not on the board for want of room.
    std::size_t left_out() const noexcept { return left_out_; }
    /// There may be more than the search found.
    bool more() const noexcept { return more_; }

private:
    struct entry {
        board_key key{};
        std::deque<std::pair<time_point, std::uint64_t>>
            looks{}; ///< the last ones, with the hand-offs until then
    };

    std::size_t most_;
    std::map<std::string, entry> entries_{};
    std::size_t left_out_ = 0;
    bool more_ = false;
};

} // namespace redlock::tool
