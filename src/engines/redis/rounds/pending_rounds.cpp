#include "engines/redis/rounds/pending_rounds.hpp"

#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/rounds/acquire_round.hpp"
#include "engines/redis/rounds/fence_round.hpp"
#include "engines/redis/rounds/joint_round.hpp"
#include "engines/redis/rounds/release.hpp"
#include "engines/redis/rounds/renew_round.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace redlock::redis {

namespace {

// A longer list was a burst, whose memory is not kept.
constexpr std::size_t usual_burst = 4096;

} // namespace

template <class Kind>
void pending_rounds<Kind>::add(member& m) {
    keys_.set(place_of(Kind::claim_of(m)->full_key));
    waiting_.push_back(&m);
}

template <class Kind>
void pending_rounds<Kind>::send() {
    if (empty()) return;
    std::vector<member*> sent = std::exchange(waiting_, {});
    keys_.reset();
    std::erase_if(sent, [](member* m) { return Kind::is_gone(*m); });
    // Those that are alike are nearly always all of them.
    for (auto begin = sent.begin(); begin != sent.end();) {
        const member& first = **begin;
        const auto end = std::partition(begin + 1, sent.end(),
                                        [&](const member* m) { return Kind::are_alike(first, *m); });
        send_alike({begin, end});
        begin = end;
    }
    sent.clear();
    if (waiting_.empty() && sent.capacity() <= usual_burst) waiting_.swap(sent);
}

template <class Kind>
void pending_rounds<Kind>::send_alike(std::span<member* const> all) {
    constexpr std::size_t most = Kind::command::most_keys;
    const std::size_t commands = (all.size() + most - 1) / most;
    for (std::size_t i = 0, begin = 0; i < commands; ++i) {
        const std::size_t end = all.size() * (i + 1) / commands; // of about the same size
        const auto some = all.subspan(begin, end - begin);
        if (some.size() >= Kind::joins_from(quorum_.settings()))
            joint_round<Kind>::start(quorum_, some);
        else
            std::ranges::for_each(some, [](member* m) { m->send_everywhere(); });
        begin = end;
    }
}

template class pending_rounds<joint_releases>;
template class pending_rounds<joint_reads>;
template class pending_rounds<joint_renewals>;
template class pending_rounds<joint_advances>;

} // namespace redlock::redis
