#include "engines/etcd/line/call.hpp"

#include "engines/etcd/line/traffic.hpp"

namespace redlock::etcd {

call::call(const method& m, std::string_view request, core::nanoseconds patience)
    : exchange(m, true), patience_(patience) {
    outgoing_.append(request);
}

call::~call() { forget(); }

void call::forget() noexcept {
    if (over_ && is_under_way()) over_->cancel(*this);
}

void call::has_news() noexcept { over_->take_end(*this); }

void call::expired(time::instant) noexcept { over_->out_of_time(*this); }

} // namespace redlock::etcd
