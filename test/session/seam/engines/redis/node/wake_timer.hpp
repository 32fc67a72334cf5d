#pragma once

#include "session/virtual_world.hpp"
#include "time/instant.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/strand.hpp>

#include <utility>

namespace redlock::node {

/// Takes the place of the timer of `src/engines/redis/node/wake_timer.hpp`, with the same members, where the
/// session is compiled for virtual time.
class wake_timer {
public:
    using strand = boost::asio::strand<boost::asio::any_io_executor>;

    explicit wake_timer(const strand& on) : timer_(on) {}

    const time::instant& armed_for() const noexcept { return armed_for_; }

    template <class Handler>
    void arm(time::instant at, time::instant now, Handler handler) {
        armed_for_ = at;
        timer_.wait(at - now, std::move(handler));
    }

    void fired() noexcept { armed_for_ = time::instant::max(); }

    void cancel() {
        timer_.cancel();
        armed_for_ = time::instant::max();
    }

private:
    test::virtual_timer timer_;
    time::instant armed_for_ = time::instant::max();
};

} // namespace redlock::node
