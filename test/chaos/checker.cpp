#include "chaos/checker.hpp"

#include "chaos/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace redlock::chaos {

std::vector<grant> grants_in(const history& log) {
    std::vector<grant> all;
    for (std::size_t client = 0; client < log.clients(); ++client) {
        for (std::size_t i = 0; i < log.page_of(client).holds; ++i) {
            const hold& h = log.hold_of(client, i);
            if (h.last_valid == 0) continue; // the client was killed before it had written so much
            all.push_back(
                {client, h.key, h.asked, h.granted, h.last_valid, h.token, h.reads != 0, h.downgraded});
        }
    }
    std::ranges::sort(all, {}, &grant::granted);
    return all;
}

std::vector<std::string> violations_in(const std::vector<grant>& grants) {
    const auto name = [](const grant& g) {
        return fmt::format(
            "the lease of key {} by client {} with token {}, asked for at {}, valid from {} to {}", g.key,
            g.client, g.token, g.asked, g.granted, g.last_valid);
    };
    struct course {
        const grant* longest = nullptr;  ///< of those that keep others out, or did
        const grant* highest = nullptr;  ///< likewise
        std::vector<const grant*> reads; ///< also those that came to
    };
    std::map<std::uint32_t, course> keys_so_far;
    std::vector<std::string> found;
    for (const auto& g : grants) {
        auto& [longest, highest, reads] = keys_so_far[g.key];
        if (longest && g.granted < longest->sole_until())
            found.push_back(fmt::format("{} overlaps {}", name(g), name(*longest)));
        if (highest && g.token <= highest->token)
            found.push_back(fmt::format("{} has no higher token than {}", name(g), name(*highest)));
        for (const grant* const r : reads) {
            if (!g.reads && g.granted < r->last_valid)
                found.push_back(fmt::format("{} overlaps {}, who reads", name(g), name(*r)));
            if (!r->reads) continue; // its token was compared with the highest
            const bool comes_after = !g.reads || g.asked >= r->granted;
            if (g.token == r->token || (comes_after && g.token < r->token))
                found.push_back(fmt::format("{} has no higher token than {}, who reads", name(g), name(*r)));
        }
        if (g.reads || g.downgraded != 0) reads.push_back(&g);
        if (g.reads) continue;
        if (!longest || g.sole_until() > longest->sole_until()) longest = &g;
        if (!highest || g.token > highest->token) highest = &g;
    }
    return found;
}

std::vector<std::string> shortcomings(const history& log, const client_terms& terms, std::uint64_t least) {
    std::vector<std::string> found;
    for (std::size_t i = 0; i < deed_count; ++i) {
        const deed_name& named = deed_names[i];
        if ((named.needs_reads && !terms.reads) || (named.needs_leads && !terms.leads)) continue;
        if (const auto times = log.times(static_cast<deed>(i)); times < least)
            found.push_back(fmt::format("clients {} {} times only", named.words, times));
    }
    return found;
}

std::int64_t longest_pause(const std::vector<grant>& grants, const std::vector<span>& spans) {
    std::int64_t longest = 0;
    for (const auto& s : spans) {
        auto next = std::ranges::lower_bound(grants, s.begin, {}, &grant::granted);
        auto last = s.begin;
        for (; next != grants.end() && next->granted < s.end; ++next) {
            longest = std::max(longest, next->granted - last);
            last = next->granted;
        }
        longest = std::max(longest, s.end - last);
    }
    return longest;
}

} // namespace redlock::chaos
