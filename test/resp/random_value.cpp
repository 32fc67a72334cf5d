#include "resp/random_value.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace redlock::test {
namespace {

using engine = std::mt19937_64;

std::size_t below(engine& random, std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
}

std::string random_text(engine& random, bool one_line) {
    std::string text(below(random, below(random, 20) == 0 ? 20'000 : 12), ' ');
    for (auto& c : text) {
        c = static_cast<char>(below(random, 256));
        if (one_line && (c == '\r' || c == '\n')) c = '.';
    }
    return text;
}

wire_value sized(char type, std::string_view prefix, char shown_as, const std::string& text) {
    const auto quote = shown_as == '"' ? "\"" : "";
    return {fmt::format("{}{}\r\n{}{}\r\n", type, prefix.size() + text.size(), prefix, text),
            fmt::format("{}{}{}", shown_as, text, quote)};
}

wire_value number(engine& random, bool big) {
    const auto value =
        static_cast<std::int64_t>(random() >> below(random, 64)) * (random() % 2 == 0 ? 1 : -1);
    if (big) return {fmt::format("({}0000000000\r\n", value), fmt::format("\"{}0000000000\"", value)};
    return {fmt::format(":{}\r\n", value), fmt::format(":{}", value)};
}

wire_value scalar(engine& random) {
    switch (below(random, 11)) {
    case 0:
        return number(random, false);
    case 1:
        return number(random, true);
    case 2:
        return sized('$', "", '"', random_text(random, false));
    case 3:
        return sized('!', "", '-', random_text(random, false));
    case 4:
        return sized('=', "txt:", '"', random_text(random, false));
    case 5: {
        const auto text = random_text(random, true);
        return {fmt::format("+{}\r\n", text), fmt::format("\"{}\"", text)};
    }
    case 6: {
        const auto text = random_text(random, true);
        return {fmt::format("-{}\r\n", text), fmt::format("-{}", text)};
    }
    case 7: {
        const double value = std::normal_distribution<double>(0, 1e9)(random);
        return {fmt::format(",{:.17g}\r\n", value), fmt::format(",{:a}", value)};
    }
    case 8:
        return random() % 2 == 0 ? wire_value{"#t\r\n", "#1"} : wire_value{"#f\r\n", "#0"};
    case 9:
        return {"_\r\n", "_"};
    default:
        return random() % 2 == 0 ? wire_value{"$-1\r\n", "_"} : wire_value{"*-1\r\n", "_"};
    }
}

wire_value aggregate(engine& random, unsigned depth) {
    const char type = "*~%"[below(random, 3)];
    const std::size_t count = below(random, 5);
    wire_value value{fmt::format("{}{}\r\n", type, count), fmt::format("{}[", type)};
    for (std::size_t i = 0; i < (type == '%' ? 2 * count : count); ++i) {
        const auto child = random_value(random, depth - 1);
        value.bytes += child.bytes;
        value.text += (i == 0 ? "" : " ") + child.text;
    }
    value.text += ']';
    return value;
}

} // namespace

wire_value random_value(engine& random, unsigned depth) {
    if (depth == 0) return scalar(random);
    auto value = below(random, 2) == 0 ? scalar(random) : aggregate(random, depth);
    if (below(random, 6) == 0) {
        const auto key = random_value(random, depth - 1), annotation = random_value(random, depth - 1);
        value.bytes = "|1\r\n" + key.bytes + annotation.bytes + value.bytes;
    }
    return value;
}

} // namespace redlock::test
