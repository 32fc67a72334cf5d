#include "blocking/loop.hpp"

#include <boost/asio/detached.hpp>
#include <boost/asio/use_future.hpp>

namespace redlock::blocking::detail {

loop::loop(config settings)
    : locks_(context_.get_executor(), std::move(settings)), work_(context_.get_executor()) {}

std::shared_ptr<loop> loop::start(config settings) {
    std::shared_ptr<loop> all(new loop(std::move(settings)));
    all->thread_ = std::thread([all] { all->context_.run(); });
    return all;
}

// In a child that was forked there is no such thread to wait for.
void loop::close() noexcept {
    if (origin_.is_of_parent()) return;
    {
        const std::unique_lock nothing_begins(gate_);
        is_closed_ = true;
    }
    if (is_own_thread()) {
        locks_.async_close(asio::detached);
        work_.reset();
        thread_.detach();
        return;
    }
    locks_.async_close(asio::use_future).wait();
    work_.reset();
    thread_.join();
}

void loop::expect_waiting_is_possible() const {
    if (origin_.is_of_parent()) throw boost::system::system_error(make_error_code(errc::closed));
    if (is_own_thread())
        throw boost::system::system_error(make_error_code(boost::system::errc::resource_deadlock_would_occur),
                                          "the thread of a redlock::blocking::client would wait for itself");
}

} // namespace redlock::blocking::detail
