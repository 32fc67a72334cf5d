#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace redlock::test {

/// One hold of a key, in nanoseconds of CLOCK_MONOTONIC.
struct hold {
    std::string holder;
    std::string key;
    std::int64_t entered = 0;
    std::int64_t left = 0;
};

/// What several processes wrote down of their holds in a shared folder: a file `history` that all append to,
/// and a file `<key>.counter` for each key, which every hold increments by read and write.
class hold_folder {
public:
    /// Makes the counters.
    hold_folder(std::filesystem::path folder, const std::vector<std::string>& keys);

    const std::filesystem::path& path() const noexcept { return folder_; }

    std::int64_t read_counter(const std::string& key) const;
    void write_counter(const std::string& key, std::int64_t value) const;
    void append(const hold& entry) const;

    /// Every hold so far of one key, ordered by its beginning.
    std::vector<hold> holds_of(const std::string& key) const;
    /// How many holds of any key there are by `holder`.
    std::size_t holds_by(const std::string& holder) const;

private:
    std::vector<hold> read() const;

    std::filesystem::path folder_;
};

/// Now, by the clock of `hold`.
std::int64_t monotonic_now();

/// Pairs of holds that follow each other and overlap; empty when at most one held at any time. `holds` are
/// ordered.
std::vector<std::string> overlaps(const std::vector<hold>& holds);

/// How often the key went from one holder to another.
std::size_t changes_of_holder(const std::vector<hold>& holds);

} // namespace redlock::test
