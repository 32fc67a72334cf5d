#pragma once

#include "core/instant.hpp"

#include <cstddef>
#include <map>
#include <string>

namespace redlock::zookeeper {

/// Since when a client knows that holders have gone without a word: their nodes were missing, and the records
/// of their keys named them still. One who has lost his node may believe to hold the key for the life that
/// the record tells, from the last moment on at which he knew of it: that was before it was seen to be
/// missing.
class absences {
public:
    static constexpr std::size_t most = 4096;

    /// When that was first seen, which is now if it was not seen before.
    core::instant missing_since(const std::string& folder, const std::string& token, core::instant now);
    /// The key is free, or somebody's who is there.
    void forget(const std::string& folder) noexcept { seen_.erase(folder); }
    std::size_t size() const noexcept { return seen_.size(); }

private:
    struct absence {
        std::string token;
        core::instant since;
    };
    std::map<std::string, absence> seen_; ///< by folder
};

} // namespace redlock::zookeeper
