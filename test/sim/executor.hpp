#pragma once

#include "sim/host.hpp"
#include "sim/network.hpp"

#include <boost/asio/execution.hpp>
#include <boost/asio/execution_context.hpp>

#include <cstdint>
#include <memory>
#include <utility>

namespace redlock::sim {

/// What a process of the simulated world has to be found by, from an executor.
struct residence {
    std::shared_ptr<sim::host> host;
    sim::network* network = nullptr;
    std::uint32_t client = 0; ///< on the network
    boost::asio::execution_context* context = nullptr;
};

/// An executor whose functions run in virtual time, on the thread of a simulated host. The strands of the
/// nodes are made of it, so that they find the host they are on, and its network.
class executor {
public:
    explicit executor(std::shared_ptr<const residence> at) noexcept : at_(std::move(at)) {}

    const residence& at() const noexcept { return *at_; }

    template <class What>
    void execute(What&& what) const {
        at_->host->post(std::forward<What>(what));
    }
    boost::asio::execution_context& query(boost::asio::execution::context_t) const noexcept {
        return *at_->context;
    }
    static constexpr boost::asio::execution::blocking_t query(boost::asio::execution::blocking_t) noexcept {
        return boost::asio::execution::blocking.never;
    }
    bool operator==(const executor& other) const noexcept { return at_ == other.at_; }
    bool operator!=(const executor& other) const noexcept { return at_ != other.at_; }

private:
    std::shared_ptr<const residence> at_;
};

} // namespace redlock::sim
