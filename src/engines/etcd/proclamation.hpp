#pragma once

#include "engine/renewal.hpp"
#include "engines/etcd/claim.hpp"
#include "engines/etcd/errands.hpp"
#include "engines/etcd/inquiry.hpp"
#include "turn/operation.hpp"

#include <redlock/detail/pool.hpp>

#include <cstdint>
#include <string_view>

namespace redlock::etcd {

class etcd_engine;

/// Has what a leader proclaims stand beside his key. One that was let go of may be carried out yet, and a
/// renewal asks for it once more; behind the release, or behind the next one, it changes nothing.
class proclamation final : public engine::errand,
                           public forsaken,
                           public detail::pooled,
                           private turn::operation {
public:
    proclamation(etcd_engine& by, claim_pointer held, engine::proclamation_listener& told);

    void start(std::uint64_t term, std::string_view value);
    void let_go() noexcept override;

private:
    void answered(const result& r);
    void judge(const result& r);
    void decide(engine::outcome how, errc why = errc{}) noexcept;
    void events_came() override;

    etcd_engine& engine_;
    const claim_pointer claim_;
    engine::proclamation_listener* told_; ///< null when nobody waits for it any more
    bool is_sent_ = false;
    bool is_telling_ = false;
    engine::outcome outcome_{};
    errc why_{};
};

} // namespace redlock::etcd
