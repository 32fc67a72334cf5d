#include "sim/lead_watch.hpp"

#include "core/election/leader_knowledge.hpp"

#include <fmt/format.h>

#include <charconv>
#include <iterator>

namespace redlock::sim {

using namespace std::chrono_literals;

std::string lead_watch::proclaims(checker::operation by, unsigned number) {
    campaigns_[by].values = number;
    return fmt::format("{}.{}", by, number);
}

void lead_watch::leads(checker::operation by, std::uint64_t term) { look_at_term(term, by); }

// Nobody else ever leads in it.
void lead_watch::look_at_term(std::uint64_t term, checker::operation by) {
    if (!weather_.data_is_kept) return;
    const auto [at, is_new] = terms_.try_emplace(term, by);
    if (!is_new && at->second != by)
        checker_.breach(fmt::format("operations {} and {} both lead in term {}", at->second, by, term));
}

std::optional<lead_watch::author> lead_watch::author_of(const std::string& value) const {
    author found;
    const char* const end = value.data() + value.size();
    const auto [dot, error] = std::from_chars(value.data(), end, found.by);
    if (error != std::errc() || dot == end) return std::nullopt;
    std::from_chars(dot + 1, end, found.number);
    const auto known = campaigns_.find(found.by);
    if (known == campaigns_.end() || found.number == 0 || found.number > known->second.values)
        return std::nullopt;
    return found;
}

void lead_watch::told(std::uint32_t client, const leader_mark& known, const leader_info& info,
                      nanoseconds for_long) {
    constexpr std::uint64_t nobody = ~core::highest_version;
    const leader_mark last{known.term, known.version & ~nobody};
    if (!info.present) {
        if ((known.version & nobody) != 0 || info.mark.term != known.term || !info.value.empty())
            checker_.breach(fmt::format("client {} is told that nobody leads, and knew it", client));
        return;
    }
    if (core::is_behind(info.mark, last) || info.mark == known)
        checker_.breach(fmt::format("client {} is told of term {} and version {}, which are behind {} and {}",
                                    client, info.mark.term, info.mark.version, last.term, last.version));
    const auto by = author_of(info.value);
    if (!by)
        return checker_.breach(fmt::format("client {} is told {}, which nobody said", client, info.value));
    look_at_term(info.mark.term, by->by);
    if (!weather_.data_is_kept) return;
    // A version is of one value, and what is proclaimed behind another has a higher one.
    const auto [at, is_new] = values_.try_emplace({info.mark.term, info.mark.version}, info.value);
    if (!is_new && at->second != info.value)
        checker_.breach(fmt::format("version {} of term {} is {} and {}", info.mark.version, info.mark.term,
                                    at->second, info.value));
    if (at != values_.begin() && std::prev(at)->first.first == info.mark.term &&
        author_of(std::prev(at)->second)->number > by->number)
        checker_.breach(fmt::format("{} is told of behind {}", info.value, std::prev(at)->second));
    // His value runs out with his key.
    const auto& ended_at = campaigns_[by->by].ended_at;
    const nanoseconds longest = 3 * nanoseconds(weather_.longest_ttl) + weather_.slowest_delivery() +
                                2 * nanoseconds(weather_.config.node_timeout) + 1s;
    if (weather_.promises_exclusion() && ended_at && for_long > longest &&
        events_.now() - *ended_at > longest)
        checker_.breach(fmt::format("client {} is told that {} leads, who ended {} ms ago", client,
                                    info.value, (events_.now() - *ended_at).count() / 1'000'000));
}

} // namespace redlock::sim
