// What is left when all clients are at rest.

#include "engines/redis/quorum/claim.hpp"
#include "sim/connection.hpp"
#include "sim/inspector.hpp"

#include <fmt/format.h>

#include <string>

namespace redlock::sim {

void inspector::expect_nothing_left() {
    for (const auto& s : servers_) {
        for (const std::string& key : s->keys())
            if (!redis::claim::is_beside_a_lock(key) || key.ends_with(redis::claim::readers_suffix) ||
                key.ends_with(redis::claim::leader_suffix))
                checker_.breach(fmt::format("I4: {} is on server {} long after everything", key, s->index()));
        for (const auto& p : processes_)
            if (p && s->interests_of(p->client()) > 0)
                checker_.breach(
                    fmt::format("I7: client {} still listens at server {}", p->client(), s->index()));
    }
    for (const auto& p : processes_) {
        if (!p) continue;
        lock::lessee& l = *p->lessee();
        redis::quorum& q = p->quorum();
        const std::size_t left = l.queues().keys() + q.timers().size() + q.window().inside() +
                                 q.window().waiting() + l.counts().held() + l.counts().waiting;
        if (left > 0 || !q.watched().empty() || !q.listener_counts().empty() ||
            !q.contests_under_way().empty())
            checker_.breach(
                fmt::format("I7: client {} is at rest, and something of it is left: {} keys in queues, "
                            "{} timers, {} + {} rounds, {} leases, {} acquires",
                            p->client(), l.queues().keys(), q.timers().size(), q.window().inside(),
                            q.window().waiting(), l.counts().held(), l.counts().waiting));
    }
}

} // namespace redlock::sim
