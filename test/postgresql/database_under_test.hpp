#pragma once

#include "postgres_fixture.hpp"

#include <string_view>

namespace redlock::test {

// What the cases in test/sql run on here.
using tested_server = postgres_server;
using tested_fixture = postgres_fixture;
inline constexpr std::string_view tested_product = "postgresql";

} // namespace redlock::test
