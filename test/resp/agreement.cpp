#include "resp/agreement.hpp"

#include "resp/feeding.hpp"

#include <fmt/ostream.h>

#include <random>

template <>
struct fmt::formatter<redlock::test::decoding> : fmt::ostream_formatter {};

namespace redlock::test {

std::optional<std::string> disagreement(std::string_view bytes, std::uint64_t seed) {
    std::minstd_rand random(static_cast<std::minstd_rand::result_type>(seed));
    std::uniform_int_distribution<std::size_t> few(1, 9);
    const resp::limits narrow{.depth = 3, .message = 150, .elements = 12, .line = 64};
    for (const auto& limits : {resp::limits{}, narrow}) {
        const auto expected = feed(bytes, whole, limits);
        const auto bytewise = feed(bytes, 1, limits);
        if (bytewise != expected) return fmt::format("whole:\n{}\nbyte by byte:\n{}\n", expected, bytewise);
        resp::reader reader(limits);
        const auto pieces = feed(reader, bytes, [&] { return few(random); });
        if (pieces != expected) return fmt::format("whole:\n{}\nin pieces:\n{}\n", expected, pieces);
    }
    return std::nullopt;
}

} // namespace redlock::test
