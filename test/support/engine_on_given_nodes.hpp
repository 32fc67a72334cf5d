#pragma once

#include "engines/redis/quorum/quorum_engine.hpp"

#include <functional>
#include <vector>

namespace redlock::test {

/// A quorum whose nodes the test makes, starts and stops itself.
class engine_on_given_nodes final : public redis::quorum_engine {
public:
    using quorum_engine::quorum_engine;

    /// Called in every turn before anything is sent in it.
    std::function<void()> before_all;

    void before_routines() noexcept override {
        if (before_all) before_all();
        quorum_engine::before_routines();
    }

private:
    void start() override {}
    // No test of these asks.
    redis::seam::question_pointer
    examine(redis::seam::answer_listener<std::vector<node_examination>>&) override {
        return {};
    }
    void stop(std::function<void()>) override {}
    void disconnect() noexcept override {}
};

} // namespace redlock::test
