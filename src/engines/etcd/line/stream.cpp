#include "engines/etcd/line/stream.hpp"

#include "engines/etcd/line/line.hpp"
#include "engines/etcd/line/traffic.hpp"

#include <cassert>

namespace redlock::etcd {

stream::stream(const method& m, line& over) noexcept : exchange(m, false), over_(over.traffic_) {}

stream::~stream() { close(); }

void stream::open() {
    close();
    over_.open(*this);
}

void stream::close() noexcept {
    if (open_) over_.close(*this);
}

void stream::send(std::string_view message, bool answered) {
    assert(open_);
    outgoing_.append(message);
    over_.send(*this, answered);
}

void stream::has_news() noexcept { over_.take_news(*this); }

void stream::expired(time::instant) noexcept { over_.out_of_time(*this); }

} // namespace redlock::etcd
