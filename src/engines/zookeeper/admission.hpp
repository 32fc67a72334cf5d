#pragma once

#include "core/flow/admission_window.hpp"
#include "engines/zookeeper/session/call.hpp"

namespace redlock::zookeeper {

/// What became of a request shows how much the servers bear. Servers that are not there bear no more when
/// they are asked less.
inline void learn(core::admission_window& of, reply::kind what, core::instant sent_at,
                  core::instant now) noexcept {
    switch (what) {
    case reply::kind::done:
    case reply::kind::refused:
        return of.answered(sent_at, now);
    case reply::kind::unknown:
        return of.unanswered(sent_at, now);
    case reply::kind::failed:
        return of.not_reached();
    }
}

} // namespace redlock::zookeeper
