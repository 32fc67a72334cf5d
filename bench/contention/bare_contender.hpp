#pragma once

#include "contention/scenario.hpp"
#include "contention/shared_log.hpp"

#include <string>
#include <vector>

namespace bench {

/// Takes a key in turn with another process, over bare sockets: what a hand-off costs on this machine with no
/// library around. Sends the library's commands in its order, waits for the events of a majority as it does,
/// and only counts replies. Whose turn it is the processes know from the log. Throws `std::runtime_error`
/// when the nodes or the other process stay silent.
void contend_bare(const scenario& what, const std::vector<std::string>& nodes, shared_log& log,
                  std::size_t process);

} // namespace bench
