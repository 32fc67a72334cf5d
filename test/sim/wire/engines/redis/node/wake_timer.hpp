#pragma once

#include "sim/executor.hpp"
#include "sim/host.hpp"
#include "time/instant.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/strand.hpp>
#include <boost/system/error_code.hpp>

#include <functional>
#include <utility>

namespace redlock::node {

/// Stands in for src/engines/redis/node/wake_timer.hpp: the same members, on the clock of a simulated host.
class wake_timer {
public:
    using strand = boost::asio::strand<boost::asio::any_io_executor>;

    explicit wake_timer(const strand& on)
        : host_(on.get_inner_executor().template target<sim::executor>()->at().host), alarm_(*host_) {}

    const time::instant& armed_for() const noexcept { return armed_for_; }

    template <class Handler>
    void arm(time::instant at, time::instant, Handler handler) {
        cancel();
        armed_for_ = at;
        handler_ = std::move(handler);
        alarm_.set(at, [this] {
            const auto woken = std::exchange(handler_, {});
            woken({});
        });
    }

    void fired() noexcept { armed_for_ = time::instant::max(); }

    void cancel() {
        alarm_.cancel();
        armed_for_ = time::instant::max();
        if (!handler_) return;
        host_->post(
            [aborted = std::exchange(handler_, {})] { aborted(boost::asio::error::operation_aborted); });
    }

private:
    std::shared_ptr<sim::host> host_;
    sim::alarm alarm_;
    std::function<void(boost::system::error_code)> handler_;
    time::instant armed_for_ = time::instant::max();
};

} // namespace redlock::node
