#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

using steady = std::chrono::steady_clock;

/// What a cycle takes and gives back.
enum class kind : std::uint8_t {
    exclusive,
    read,
    write,
    entered_again,
    permit,
    set_of_one,
    set_of_four,
    lead, ///< with an address that others may be told
    kept  ///< behind the release, a while; each cycle has a key of its own
};
inline constexpr std::array kinds{kind::exclusive,     kind::read,   kind::write,
                                  kind::entered_again, kind::permit, kind::set_of_one,
                                  kind::set_of_four,   kind::lead,   kind::kept};

/// One closed loop: `in_flight` callers, each of which starts its next cycle when its last one ended.
struct load {
    std::size_t in_flight = 1;
    std::size_t window = 1024; ///< cycles on the wire at once; further callers wait in order
    std::chrono::milliseconds warm_up{0};
    std::chrono::milliseconds duration{0};
    bool fencing = false; ///< every grant comes with a fencing token
    kind what = kind::exclusive;
};

/// What a closed loop did during its measured part.
struct sample {
    std::uint64_t cycles = 0;
    std::uint64_t failures = 0; ///< cycles that ended in an error, warm-up included
    std::string first_failure;  ///< what the first of them said
    double cycles_per_second = 0;
    double cpu_microseconds = 0; ///< of this process, user and system, for each cycle
    double p50_microseconds = 0;
    double p99_microseconds = 0;
    double commands_per_cycle = 0; ///< written to all nodes together
    double records_per_cycle = 0;  ///< durations that the library's own histograms took in
};

/// Follows a closed loop through warm-up and measurement. Both sides of a comparison use the same recorder,
/// so that what measuring costs is the same for both.
class recorder {
public:
    explicit recorder(const load& plan);

    /// Counts the cycle that began and ended at these times; false once the measured part is over.
    bool add(steady::time_point began, steady::time_point ended);

    /// Counts a cycle that ended in an error.
    bool fail(steady::time_point ended, const std::string& why);

    /// The figures of the measured part, once `add` has said that it is over. `commands_per_cycle` is left at
    /// 0.
    sample result();

private:
    bool advance(steady::time_point now);

    enum class phase { before, warming, measuring, over };
    load plan_;
    phase phase_ = phase::before;
    steady::time_point next_;
    steady::time_point began_;
    std::chrono::nanoseconds cpu_began_{};
    std::chrono::nanoseconds elapsed_{};
    std::chrono::nanoseconds cpu_{};
    std::vector<std::int64_t> latencies_;
    std::uint64_t failures_ = 0;
    std::string first_failure_;
};

} // namespace bench
