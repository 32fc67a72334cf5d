#pragma once

#include "comparison.hpp"
#include "load.hpp"

#include <array>
#include <vector>

namespace bench {

/// One load, measured with locks of every kind `extent::runs` times.
struct kinds_comparison {
    load plan;
    /// By kind, all of the exclusive locks among them.
    std::array<std::vector<sample>, kinds.size()> of_kind{};
    /// By kind: the exclusive locks that were measured next to its i-th measurement, so that both are of the
    /// machine as it was then.
    std::array<std::vector<sample>, kinds.size()> exclusive_beside{};

    const std::vector<sample>& of(kind k) const { return of_kind[static_cast<std::size_t>(k)]; }
    const std::vector<sample>& beside(kind k) const { return exclusive_beside[static_cast<std::size_t>(k)]; }
};

/// Measures 1, 64 and 1024 in flight on five servers, no two callers with the same key.
std::vector<kinds_comparison> compare_kinds(const extent& how_much);

} // namespace bench
