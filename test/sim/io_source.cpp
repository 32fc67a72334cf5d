#include "sim/io_source.hpp"

#include "sim/host.hpp"
#include "sim/socket.hpp"

#include <boost/asio/error.hpp>

#include <utility>

namespace redlock::sim {

namespace {

/// On the clock of a simulated host, however that may jump.
class host_timer final : public redlock::network::wake_timer {
public:
    explicit host_timer(std::shared_ptr<host> on) : host_(std::move(on)), alarm_(*host_) {}

private:
    void wait(time::instant at, time::instant, handler woken) override {
        abort();
        handler_ = std::move(woken);
        alarm_.set(at, [this] {
            const auto ringing = std::exchange(handler_, {});
            ringing({});
        });
    }

    void abort() override {
        alarm_.cancel();
        if (!handler_) return;
        host_->post(
            [aborted = std::exchange(handler_, {})] { aborted(boost::asio::error::operation_aborted); });
    }

    std::shared_ptr<host> host_;
    alarm alarm_;
    handler handler_;
};

} // namespace

std::shared_ptr<redlock::network::stream> io_source::make_stream(const strand&) {
    return std::make_shared<socket>(*at_);
}

std::unique_ptr<redlock::network::wake_timer> io_source::make_timer(const strand&) {
    return std::make_unique<host_timer>(at_->host);
}

} // namespace redlock::sim
