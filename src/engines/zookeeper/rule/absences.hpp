#pragma once

#include "core/instant.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace redlock::zookeeper {

/// Since when a client knows that holders have gone without a word: their nodes were missing, and the records
/// of their keys, or their marks, named them still. One who has lost his node may believe to hold the key for
/// the life that is told there, from the last moment on at which he knew of it: that was before it was seen
/// to be missing.
class absences {
public:
    static constexpr std::size_t most = 4096;

    /// These are missing now, and nobody else of that folder: when each was first seen to be, which is now if
    /// it was not seen before.
    std::vector<core::instant> missing_since(const std::string& folder,
                                             const std::vector<std::string>& tokens, core::instant now);
    /// Folders.
    std::size_t size() const noexcept { return seen_.size(); }

private:
    struct absence {
        std::string token;
        core::instant since;
    };
    std::map<std::string, std::vector<absence>> seen_; ///< by folder; the first of each is the oldest
};

} // namespace redlock::zookeeper
