#pragma once

#include <string>
#include <string_view>

namespace redlock::test {

/// Reads the bytes as a program for one node: what its caller asks of it and when, what the peer sends, in
/// which pieces, when connections end, how time passes. In the end an honest peer takes over, whom the node
/// must serve again, unless it was stopped. Says which promise of the node was broken first; empty when none
/// was.
std::string hostile_run(std::string_view program);

} // namespace redlock::test
