#pragma once

#include "scripted_quorum.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace redlock::test {

/// Takes a grant, unless it is to be too late.
struct contending final : engine::contest_listener {
    void others_have_it(const engine::claim&) noexcept override { waits = true; }
    bool takes(engine::grant&& given) noexcept override {
        if (too_late) return false;
        granted = std::move(given);
        return true;
    }
    void not_granted(errc reason, const engine::failure* more) noexcept override {
        refused = reason;
        if (more) why = more->describe("granted the lock \"k\"");
    }
    void contest_over() noexcept override { over = true; }

    std::optional<engine::grant> granted;
    std::optional<errc> refused;
    std::string why;
    bool too_late = false;
    bool waits = false;
    bool over = false;
};

struct contest_fixture : scripted_quorum {
    using scripted_quorum::scripted_quorum;

    void contend(bool fencing, bool waits = false, core::instant not_before = core::instant::min()) {
        turn([&] {
            claimed = claim(fencing);
            engine()
                .contend({.claim = claimed,
                          .claimed_at = clock,
                          .life = 1000ms,
                          .ttl = 1s,
                          .renews = true,
                          .fencing = fencing,
                          .waits = waits,
                          .wait_until = waits ? clock + 10s : clock,
                          .not_before = not_before},
                         listener)
                .start();
        });
    }
    bool asks(unsigned node, std::string_view what) const {
        return nodes[node]->asked().find(what) != std::string_view::npos;
    }
    std::string proposal() const {
        return std::string(static_cast<const redis::claim&>(*claimed).proposal_text());
    }

    engine::claim_pointer claimed;
    contending listener;
};

} // namespace redlock::test
