#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <string_view>

namespace redlock::test {

/// What happens to messages that a server sends by itself, and to the confirmations of subscriptions, in
/// percent. No real connection does that: it is harsher than any network.
struct push_faults {
    int drop = 0;
    int duplicate = 0;
    int hold_back = 0; ///< until after the next reply

    bool any() const noexcept { return drop + duplicate + hold_back > 0; }
};

/// Cuts what a server sends into whole values and does its worst to those that are no replies.
class push_filter {
public:
    explicit push_filter(std::uint_fast32_t seed) : random_(seed) {}

    /// Takes the next bytes from the server, gives what the client gets now.
    std::string pass(std::string_view bytes, const push_faults& faults);

private:
    bool hits(int percent) { return std::uniform_int_distribution(0, 99)(random_) < percent; }

    std::minstd_rand random_;
    std::string incomplete_;
    std::string held_back_;
};

/// Length of the RESP value that `bytes` begins with, or 0 when its end is missing.
std::size_t length_of_value(std::string_view bytes);

} // namespace redlock::test
