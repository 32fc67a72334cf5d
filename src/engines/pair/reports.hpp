#pragma once

#include <redlock/break_report.hpp>
#include <redlock/key_list.hpp>
#include <redlock/key_report.hpp>
#include <redlock/metrics.hpp>
#include <redlock/node_examination.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace redlock::pair {

// How what two engines say becomes one report: the nodes of the first, then those of the second.

/// Whoever the first engine says has the key counts as its holder, or where it is free there, whom the second
/// names: there it was left behind, or lost at the first.
key_report joined(key_report&& first, key_report&& second);
/// The same report as each of the two had made it, of which the first had so many nodes.
std::pair<key_report, key_report> parted(key_report&& both, std::size_t nodes_of_first);
break_report joined(break_report&& first, break_report&& second);
/// What either knows of, at most so many.
key_list joined(key_list&& first, key_list&& second, std::size_t most);
std::vector<node_examination> joined(std::vector<node_examination>&& first,
                                     std::vector<node_examination>&& second);
/// What engines count is added up; what the lease layer counts is the first's.
void add(metrics_snapshot& to, metrics_snapshot&& of_second);

} // namespace redlock::pair
