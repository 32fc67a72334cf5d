#pragma once

#include <random>
#include <string>

namespace redlock::test {

/// A RESP3 value as it is on the wire, and as `describe` puts it.
struct wire_value {
    std::string bytes;
    std::string text;
};

/// A well-formed value of any kind, with at most `depth` aggregates inside each other and attributes here and
/// there.
wire_value random_value(std::mt19937_64& random, unsigned depth);

} // namespace redlock::test
