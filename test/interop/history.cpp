#include "history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace redlock::test {

hold_folder::hold_folder(std::filesystem::path folder, const std::vector<std::string>& keys)
    : folder_(std::move(folder)) {
    for (const auto& key : keys)
        write_counter(key, 0);
    std::ofstream(folder_ / "history");
}

std::int64_t hold_folder::read_counter(const std::string& key) const {
    std::int64_t value = -1;
    std::ifstream(folder_ / (key + ".counter")) >> value;
    return value;
}

void hold_folder::write_counter(const std::string& key, std::int64_t value) const {
    std::ofstream(folder_ / (key + ".counter")) << value;
}

void hold_folder::append(const hold& entry) const {
    const std::string line = fmt::format("{} {} {} {}\n", entry.holder, entry.key, entry.entered, entry.left);
    // One write of one line in append mode: lines of several processes do not mix.
    std::ofstream(folder_ / "history", std::ios::app) << line;
}

std::vector<hold> hold_folder::read() const {
    std::vector<hold> all;
    std::ifstream file(folder_ / "history");
    for (std::string line; std::getline(file, line);) {
        hold entry;
        // A line that is being written is left for the next look.
        if (std::istringstream(line) >> entry.holder >> entry.key >> entry.entered >> entry.left &&
            !file.eof())
            all.push_back(std::move(entry));
    }
    return all;
}

std::vector<hold> hold_folder::holds_of(const std::string& key) const {
    std::vector<hold> found = read();
    std::erase_if(found, [&](const hold& entry) { return entry.key != key; });
    std::sort(found.begin(), found.end(), [](const hold& a, const hold& b) { return a.entered < b.entered; });
    return found;
}

std::size_t hold_folder::holds_by(const std::string& holder) const {
    const std::vector<hold> all = read();
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [&](const hold& entry) { return entry.holder == holder; }));
}

std::int64_t monotonic_now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

std::vector<std::string> overlaps(const std::vector<hold>& holds) {
    std::vector<std::string> found;
    for (std::size_t i = 1; i < holds.size(); ++i) {
        const hold& before = holds[i - 1];
        const hold& after = holds[i];
        if (after.entered < before.left)
            found.push_back(fmt::format("{} entered {} {} ns before {} left", after.holder, after.key,
                                        before.left - after.entered, before.holder));
    }
    return found;
}

std::size_t changes_of_holder(const std::vector<hold>& holds) {
    std::size_t changes = 0;
    for (std::size_t i = 1; i < holds.size(); ++i)
        changes += holds[i].holder != holds[i - 1].holder ? 1U : 0U;
    return changes;
}

} // namespace redlock::test
