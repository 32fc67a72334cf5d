#pragma once

#include <string>

namespace redlock::mariadb {

/// Makes the table on first use, where nobody has before.
std::string schema();

} // namespace redlock::mariadb
