#pragma once

#include "mariadb_fixture.hpp"

#include <string_view>

namespace redlock::test {

// What the cases in test/sql run on here.
using tested_server = mariadb_server;
using tested_fixture = mariadb_fixture;
inline constexpr std::string_view tested_product = "mariadb";

} // namespace redlock::test
