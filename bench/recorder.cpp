#include "load.hpp"

#include <algorithm>
#include <ctime>

namespace bench {
namespace {

std::chrono::nanoseconds process_cpu_time() {
    timespec t{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
}

double microseconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e3; }

double percentile(const std::vector<std::int64_t>& sorted, double share) {
    const auto last = static_cast<double>(sorted.size() - 1);
    return microseconds(sorted[static_cast<std::size_t>(last * share + 0.5)]);
}

} // namespace

recorder::recorder(const load& plan) : plan_(plan) {
    // Room for 200 000 cycles a second, so that the vector does not grow while it is timed.
    latencies_.reserve(static_cast<std::size_t>(plan.duration.count()) * 200);
}

bool recorder::advance(steady::time_point now) {
    if (phase_ == phase::before) {
        phase_ = phase::warming;
        next_ = now + plan_.warm_up;
    }
    if (phase_ == phase::warming && now >= next_) {
        phase_ = phase::measuring;
        began_ = now;
        next_ = now + plan_.duration;
        cpu_began_ = process_cpu_time();
        return true;
    }
    if (phase_ == phase::measuring && now >= next_) {
        phase_ = phase::over;
        elapsed_ = now - began_;
        cpu_ = process_cpu_time() - cpu_began_;
    }
    return phase_ != phase::over;
}

bool recorder::add(steady::time_point began, steady::time_point ended) {
    if (phase_ == phase::measuring) latencies_.push_back((ended - began).count());
    return advance(ended);
}

bool recorder::fail(steady::time_point ended, const std::string& why) {
    if (failures_++ == 0) first_failure_ = why;
    return advance(ended);
}

sample recorder::result() {
    sample r;
    r.failures = failures_;
    r.first_failure = first_failure_;
    r.cycles = latencies_.size();
    if (latencies_.empty()) return r;
    std::sort(latencies_.begin(), latencies_.end());
    const auto cycles = static_cast<double>(r.cycles);
    r.cycles_per_second = cycles * 1e9 / static_cast<double>(elapsed_.count());
    r.cpu_microseconds = microseconds(cpu_.count()) / cycles;
    r.p50_microseconds = percentile(latencies_, 0.50);
    r.p99_microseconds = percentile(latencies_, 0.99);
    return r;
}

} // namespace bench
