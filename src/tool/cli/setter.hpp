#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace redlock::tool {

/// What the user typed cannot be understood; the text says why, and contains no password.
class usage_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Takes one word of the command line. Throws `usage_error` with a text that goes on after "--option ".
using setter = std::function<void(const std::string& word)>;

/// The setter that parses the word and puts it into `target`, which must live until the command line is
/// parsed. A flag's word is empty. Vectors take one word after another.
setter into(bool& target);
setter into(std::string& target);
setter into(std::vector<std::string>& target);
/// A number of at least `least` and at most `most`.
setter into(std::uint64_t& target, std::uint64_t least, std::uint64_t most);
setter into(std::optional<std::uint64_t>& target, std::uint64_t least, std::uint64_t most);
setter into(double& target, double least, double most);
/// A time such as `500ms`, `10s`, `1.5m`, `2h` or `1d`; without a unit in seconds. `forever` where
/// `most` is `redlock::forever`.
setter into(std::chrono::milliseconds& target, std::chrono::milliseconds least,
            std::chrono::milliseconds most);
setter into(std::optional<std::chrono::milliseconds>& target, std::chrono::milliseconds least,
            std::chrono::milliseconds most);
setter into(std::optional<std::string>& target);

/// Parses a time; see `into`.
std::chrono::milliseconds parse_time(const std::string& text);

/// A time as `parse_time` reads it, in the largest unit that leaves no fraction.
std::string text_of(std::chrono::milliseconds time);

} // namespace redlock::tool
