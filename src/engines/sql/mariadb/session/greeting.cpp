#include "engines/sql/mariadb/session/greeting.hpp"

#include <algorithm>
#include <cstddef>

namespace redlock::mariadb {

namespace {

constexpr std::size_t header = 4; ///< three bytes of length, and one that counts
constexpr unsigned char known_protocol = 10;
constexpr unsigned char error_mark = 0xff;
constexpr std::size_t behind_version = 4 + 8 + 1; ///< the connection's number, random bytes, a zero
constexpr unsigned char can_encrypt = 0x08;       ///< in the second byte of what it can

} // namespace

greeting_kind kind_of_greeting(std::span<const unsigned char> bytes) noexcept {
    if (bytes.size() <= header) return greeting_kind::unfinished;
    const std::span<const unsigned char> said = bytes.subspan(header);
    if (said.front() == error_mark) return greeting_kind::refusal;
    if (said.front() != known_protocol) return greeting_kind::plain;
    const std::size_t version_end = static_cast<std::size_t>(std::ranges::find(said, 0) - said.begin());
    const std::size_t at = version_end + 1 + behind_version + 1;
    const std::size_t length = bytes[0] + 256u * bytes[1] + 65536u * bytes[2];
    const bool ends_too_early = version_end < said.size() && at >= length;
    if (ends_too_early || header + at >= longest_greeting) return greeting_kind::plain;
    if (at >= said.size()) return greeting_kind::unfinished;
    return said[at] & can_encrypt ? greeting_kind::encrypts : greeting_kind::plain;
}

} // namespace redlock::mariadb
