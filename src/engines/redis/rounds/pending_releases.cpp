#include "engines/redis/rounds/pending_releases.hpp"

#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/rounds/joint_release.hpp"
#include "engines/redis/rounds/release.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace redlock::redis {

namespace {

// A longer list was a burst, whose memory is not kept.
constexpr std::size_t usual_burst = 4096;

} // namespace

void pending_releases::add(release& r) {
    keys_.set(place_of(r.what()->full_key));
    waiting_.push_back(&r);
}

void pending_releases::send() {
    if (empty()) return;
    std::vector<release*> sent = std::exchange(waiting_, {});
    keys_.reset();
    const std::span<release* const> all(sent);
    constexpr std::size_t most = joint_release_command::most_keys;
    const std::size_t commands = (all.size() + most - 1) / most;
    for (std::size_t i = 0, begin = 0; i < commands; ++i) {
        const std::size_t end = all.size() * (i + 1) / commands; // of about the same size
        const auto some = all.subspan(begin, end - begin);
        if (some.size() >= quorum_.settings().joins_releases_from)
            joint_release::start(quorum_, some);
        else
            std::ranges::for_each(some, [](release* r) { r->send_everywhere(); });
        begin = end;
    }
    sent.clear();
    if (waiting_.empty() && sent.capacity() <= usual_burst) waiting_.swap(sent);
}

} // namespace redlock::redis
