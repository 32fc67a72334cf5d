#pragma once

#include <redlock/detail/language.hpp>
#include <redlock/error.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace redlock {

/// What became of a key on one node when its lock was broken.
enum class removal : std::uint8_t {
    nothing_shown, ///< the node had said that the key is free there and nobody reads; it was left alone
    removed,       ///< what was shown, or some of it, was there still and is gone: the key, or who reads
    changed,       ///< the key was gone already, or somebody else's by now; it was left alone
    failed         ///< the node refused or did not answer; `error` says why
};

/// What one node says about the removal of a key.
struct node_break_report {
    std::string node;                         ///< address without user and password
    removal outcome = removal::nothing_shown; ///< what became of the key there
    boost::system::error_code error;          ///< no error unless the removal failed
    unsigned readers_removed = 0;             ///< of those who read, as they were shown
};

/// What became of a key on all nodes, in the order of `config::nodes`.
struct break_report {
    std::string key;                      ///< with the prefix, as it stands in Redis
    std::vector<node_break_report> nodes; ///< each with its own outcome
    unsigned removed = 0;                 ///< nodes on which the key was removed
};

} // namespace redlock
