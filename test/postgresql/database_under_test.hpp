#pragma once

#include "postgres_fixture.hpp"

#include <chrono>
#include <string_view>

namespace redlock::test {

// What the cases in test/sql run on here.
using tested_server = postgres_server;
using tested_fixture = postgres_fixture;
inline constexpr std::string_view tested_product = "postgresql";
inline constexpr std::chrono::milliseconds brief_ttl{300};       ///< that is renewed in time
inline constexpr std::chrono::milliseconds usual_timeout{2'000}; ///< of a client that is interrupted

} // namespace redlock::test
