#include "contention/incident.hpp"

#include "contention/clocks.hpp"

namespace bench {
namespace {

std::int64_t after(std::int64_t begin, const scenario& s, int thirds) {
    return begin + std::chrono::nanoseconds(s.warm_up + s.duration * thirds / 3).count();
}

} // namespace

incident::incident(const scenario& what, crew& all, shared_log& log, std::int64_t begin)
    : what_(what.fault),
      all_(all),
      log_(log),
      victim_(what.processes / 2),
      from_(after(begin, what, 1)),
      until_(after(begin, what, 2)),
      stage_(what.fault == fault::none ? stage::over : stage::before) {}

void incident::pass() {
    if (stage_ == stage::before && now() >= from_) begin();
    if (stage_ == stage::stopped && now() >= until_) {
        all_.resume(victim_);
        outage_->until = now();
        stage_ = stage::over;
    }
}

// Only a process that is stopped stays as it was found.
void incident::begin() {
    const std::int64_t from = now();
    all_.stop(victim_);
    if (log_.page_of(victim_).holding != 0) return all_.resume(victim_);
    outage_ = outage{.process = static_cast<std::uint32_t>(victim_), .from = from};
    stage_ = what_ == fault::kill ? stage::over : stage::stopped;
    if (what_ == fault::kill) all_.kill(victim_);
}

} // namespace bench
