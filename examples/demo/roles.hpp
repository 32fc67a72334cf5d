#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace demo {

/// What this program does when it is one of its own children. Both tell their parent in lines on the standard
/// output what happens, with times of the steady clock, which all processes of a machine share.

/// Increments the counter in many coroutines until its standard input ends. Says `grant <ns>` for each
/// increment, `refused <why>` for each lock it did not get and `total <n>` at its end.
void increment(const std::vector<std::string>& nodes, const std::filesystem::path& counter,
               std::size_t coroutines);

/// Holds one lock and works until it is told to stop. Says `left <ms>` again and again for the validity of
/// its lease, and `stopped <ns> <ms>` when its stop token fires: the time, and the validity left at that
/// time.
void hold(const std::vector<std::string>& nodes);

} // namespace demo
