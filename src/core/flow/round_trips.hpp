#pragma once

#include <chrono>
#include <optional>
#include <vector>

namespace redlock::core {

/// Round trips to one server, each of which may have brought the server's time of day along. Takes all times
/// from outside.
class round_trips {
public:
    using nanoseconds = std::chrono::nanoseconds;

    /// A server's clock against ours; off by no more than the uncertainty.
    struct offset {
        nanoseconds ahead;
        nanoseconds uncertainty;
    };

    /// A question took `took`, and began when our own time of day was `began`. `server` is the server's time
    /// of day at some moment in between, in whole microseconds, rounded down.
    void add(nanoseconds took, nanoseconds began, std::optional<std::chrono::microseconds> server);

    bool empty() const noexcept { return all_.empty(); }
    /// Not of none.
    nanoseconds least() const noexcept;
    /// Of an even number the higher of the two in the middle.
    nanoseconds median() const;
    /// From the quickest question that was answered with a time: the server read its clock half way through
    /// it, give or take the other half.
    const std::optional<offset>& clock() const noexcept { return clock_; }

private:
    std::vector<nanoseconds> all_;
    std::optional<offset> clock_;
};

} // namespace redlock::core
