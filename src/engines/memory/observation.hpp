#pragma once

#include "core/election/leader_knowledge.hpp"
#include "engines/memory/memory_engine.hpp"
#include "time/timer_queue.hpp"

#include <redlock/detail/pool.hpp>

#include <string>

namespace redlock::memory {

/// Somebody who wants to know who leads. It lives until it is let go of.
class observation final : public engine::question,
                          public turn::list_hook,
                          public detail::pooled,
                          private time::timer {
public:
    observation(memory_engine& by, std::string&& full_key, const leader_mark& known,
                engine::answer_listener<leader_info>& listener);

    void start() override { look(); }
    /// Something changed. May be the end of it.
    void look();
    void let_go() noexcept override { delete this; }
    void client_closes() noexcept override;

private:
    ~observation();
    void expired(time::instant) noexcept override { look(); }

    memory_engine& engine_;
    const std::string key_;
    const core::leader_knowledge known_;
    engine::answer_listener<leader_info>& listener_;
};

} // namespace redlock::memory
