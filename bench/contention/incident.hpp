#pragma once

#include "contention/crew.hpp"
#include "contention/scenario.hpp"
#include "contention/shared_log.hpp"

namespace bench {

/// Makes a scenario's fault happen to one of its processes.
class incident {
public:
    /// What is given must outlive this object; the contest begins at `begin`.
    incident(const scenario& what, crew& all, shared_log& log, std::int64_t begin);

    /// To be called every few milliseconds: stops, resumes or kills the process when the time has come and it
    /// waits. Throws what `crew` throws.
    void pass();

    /// Whether it is over, or there is none.
    bool is_over() const noexcept { return stage_ == stage::over; }
    /// Of the process, once it happened.
    const std::optional<outage>& came_to() const noexcept { return outage_; }

private:
    enum class stage : std::uint8_t { before, stopped, over };

    void begin();

    const fault what_;
    crew& all_;
    shared_log& log_;
    const std::size_t victim_;
    const std::int64_t from_;
    const std::int64_t until_;
    stage stage_;
    std::optional<outage> outage_;
};

} // namespace bench
