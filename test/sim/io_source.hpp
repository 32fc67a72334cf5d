#pragma once

#include "network/transport/io_source.hpp"
#include "sim/executor.hpp"

#include <memory>

namespace redlock::sim {

/// What the nodes of a simulated process reach their servers through and are woken by. They are the real ones
/// but for what lies below this. It shall live as long as its process.
class io_source final : public redlock::network::io_source {
public:
    explicit io_source(std::shared_ptr<const residence> at) noexcept : at_(std::move(at)) {}

    std::shared_ptr<redlock::network::stream> make_stream(const strand& on) override;
    std::unique_ptr<redlock::network::wake_timer> make_timer(const strand& on) override;

private:
    std::shared_ptr<const residence> at_;
};

} // namespace redlock::sim
