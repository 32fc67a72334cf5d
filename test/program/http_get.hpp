#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace redlock::test {

/// Asks a server on 127.0.0.1: the body of its answer if that has status 200, nothing if it has another or
/// there is none within patience.
std::optional<std::string> http_get(std::uint16_t port, const std::string& target);

} // namespace redlock::test
