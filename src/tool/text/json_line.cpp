#include "text/json_line.hpp"

#include "text/utf8.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>

namespace redlock::tool {
namespace {

std::string escaped(char32_t code) {
    if (code < 0x10000) return fmt::format("\\u{:04x}", static_cast<unsigned>(code));
    const auto above = static_cast<unsigned>(code) - 0x10000;
    return fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (above >> 10), 0xdc00 + (above & 0x3ff));
}

} // namespace

// Outside its texts JSON has nothing but ASCII, so all that is looked at here stands within one.
std::string json_line(const boost::json::value& value) {
    const std::string raw = boost::json::serialize(value);
    std::string line;
    for (std::string_view rest = raw; !rest.empty();) {
        const utf8_piece piece = first_piece(rest);
        rest.remove_prefix(piece.bytes.size());
        if (!piece.valid)
            line += fmt::format("\\\\x{:02x}", static_cast<unsigned>(piece.code));
        else if (is_steering(piece.code))
            line += escaped(piece.code);
        else
            line += piece.bytes;
    }
    return line + '\n';
}

boost::json::value text_or_null(const std::string& text) {
    return text.empty() ? boost::json::value(nullptr) : boost::json::value(text);
}

std::string utc_text(std::chrono::system_clock::time_point time) {
    const auto instant = std::chrono::floor<std::chrono::milliseconds>(time);
    const auto part = instant.time_since_epoch() % std::chrono::seconds(1);
    const auto second = fmt::gmtime(std::chrono::system_clock::to_time_t(instant));
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", second, part.count());
}

} // namespace redlock::tool
