#pragma once

#include "core/flow/admission_window.hpp"
#include "engines/etcd/line/failure.hpp"

namespace redlock::etcd {

/// What became of a call that failed shows how much the cluster bears. One that is not there bears no more
/// when it is asked less.
inline void learn(core::admission_window& of, const failure& why, core::instant sent_at,
                  core::instant now) noexcept {
    if (why.in_doubt) return of.unanswered(sent_at, now);
    if (why.why == errc::node_timeout || why.why == errc::node_unavailable) return of.not_reached();
    of.answered(sent_at, now);
}

} // namespace redlock::etcd
