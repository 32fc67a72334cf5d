#pragma once

#include <boost/system/error_code.hpp>

#include <memory>
#include <tuple>
#include <utility>

namespace redlock::test {

/// What an asynchronous operation completed with, and how often it completed. For one thread.
template <class... Values>
class outcome {
public:
    /// A completion handler for signature `void(error_code, Values...)`. It may outlive this object.
    auto handler() {
        return [state = state_](boost::system::error_code failure, Values... values) {
            ++state->completions;
            state->failure = failure;
            state->values = std::tuple<Values...>(std::move(values)...);
        };
    }

    bool done() const noexcept { return state_->completions > 0; }
    int completions() const noexcept { return state_->completions; }
    const boost::system::error_code& error() const noexcept { return state_->failure; }

    /// What came beside the error code.
    auto& value() noexcept { return std::get<0>(state_->values); }

    /// Forgets the values, for example to release a lease.
    void drop_values() { state_->values = {}; }

private:
    struct state {
        int completions = 0;
        boost::system::error_code failure;
        std::tuple<Values...> values;
    };
    std::shared_ptr<state> state_ = std::make_shared<state>();
};

} // namespace redlock::test
