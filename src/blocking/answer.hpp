#pragma once

#include <redlock/detail/diagnosed_handler.hpp>

#include <boost/system/error_code.hpp>

#include <future>
#include <tuple>
#include <utility>

namespace redlock::blocking::detail {

/// What an operation came to, on its way from the thread of the loop to the one that waits. The exception is
/// made there, so none is shared by two threads.
template <class... Results>
struct answer {
    boost::system::error_code outcome;
    redlock::detail::diagnostics told;
    std::tuple<Results...> results;
};

/// The handler that gives the answer.
template <class... Results>
class answering_handler {
public:
    std::future<answer<Results...>> future() { return promise_.get_future(); }
    redlock::detail::diagnostics* place_of_diagnostics() const noexcept { return &told_; }

    void operator()(const boost::system::error_code& outcome, Results... results) {
        promise_.set_value({outcome, std::move(told_), {std::move(results)...}});
    }

private:
    std::promise<answer<Results...>> promise_;
    mutable redlock::detail::diagnostics
        told_; ///< whoever completes the operation has no more than a look at its handler
};

/// Waits for the answer and returns the results. Throws what the coroutine would throw that awaits the
/// operation.
template <class... Results>
std::tuple<Results...> await(std::future<answer<Results...>> coming) {
    answer<Results...> arrived = coming.get();
    if (arrived.outcome)
        std::rethrow_exception(redlock::detail::exception_of(arrived.outcome, std::move(arrived.told)));
    return std::move(arrived.results);
}

} // namespace redlock::blocking::detail
