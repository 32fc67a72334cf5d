#pragma once

#include "mariadb_fixture.hpp"

#include <chrono>
#include <string_view>

namespace redlock::test {

// What the cases in test/sql run on here.
using tested_server = mariadb_server;
using tested_fixture = mariadb_fixture;
inline constexpr std::string_view tested_product = "mariadb";
inline constexpr std::chrono::milliseconds brief_ttl{1'500};      ///< that is renewed in time
inline constexpr std::chrono::milliseconds usual_timeout{10'000}; ///< of a client that is interrupted

} // namespace redlock::test
