#pragma once

#include <redlock/key_report.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace redlock::tool {

/// What the answers of all nodes come to, in a word.
enum class key_state {
    free,       ///< a majority of nodes does not have the key
    held,       ///< one holder has a majority
    read,       ///< nobody has, and there are some who read it
    other_type, ///< it holds something that is no lock on so many nodes that nobody can get a majority
    split,      ///< none of these is so, whatever the nodes say that did not answer
    undecided   ///< too few nodes answered to say
};

/// The same with its figures.
struct verdict {
    key_state state = key_state::undecided;
    std::string holder{};     ///< the value that most nodes have; empty when none has the key
    std::size_t votes = 0;    ///< nodes that have it
    std::size_t foreign = 0;  ///< nodes on which the key holds something that is no lock
    std::size_t answers = 0;  ///< nodes that answered
    std::size_t majority = 0; ///< nodes that it takes
    std::size_t all = 0;
    std::size_t readers = 0;                ///< that a majority has
    bool more_readers = false;              ///< than could be shown
    std::optional<std::uint64_t> waiting{}; ///< clients that wait for the key; nothing when nobody can tell
    std::optional<leader_info> leader{};    ///< what the holder proclaims, if he leads
    std::string label{};                    ///< who the holder is; empty where he has not said
    /// Of a double lock: whether the backup says that the key is held or free, or has not said. The counts
    /// above are without it.
    std::optional<key_state> backup{};
};

verdict judge(const key_report& report);

/// By his label, where he has one, else by the value of the key; printable.
std::string holder_of(const verdict& found);

/// "held by VALUE on 3 of 5 nodes" and so on.
std::string text_of(const verdict& found);

/// The exit status of `inspect` for it.
int status_of(const verdict& found) noexcept;

} // namespace redlock::tool
