#pragma once

#include "load.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bench::engines {

/// What people take who do not take this library: runs a closed loop of locks and unlocks.
struct usual_client {
    std::string name;
    std::function<sample(const load&)> run;
};

/// An engine whose servers run.
struct contestant {
    std::string name;               ///< as `--only` takes it
    std::vector<std::string> nodes; ///< what `redlock::config` is given
    bool batches =
        false; ///< many locks of a client share a round trip: the usual client is to be left behind
    std::shared_ptr<void> servers{};   ///< end with the last contestant that refers to them
    std::vector<usual_client> usual{}; ///< none, or the one to compare with and others to look at
};

/// One engine, and how it is started: that is all there is to say to have it measured.
struct entry {
    const char* name;
    const char* what; ///< for people
    /// Starts its servers in a temporary folder and waits until they answer. Throws std::exception where they
    /// are not to be had here.
    contestant (*start)();
};

/// All that there are, in the order in which they are shown.
std::span<const entry> entries() noexcept;

} // namespace bench::engines
