#include "engines/redis/dialect/sight_text.hpp"

#include "engines/redis/resp/command.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <initializer_list>

namespace redlock::redis {

namespace {

using std::chrono::microseconds;

constexpr std::int64_t most = microseconds(std::chrono::hours(24)).count();

std::int64_t whole(core::nanoseconds time) noexcept { return std::chrono::floor<microseconds>(time).count(); }

} // namespace

void append_sight(std::string& to, const core::stranger_sight& s) {
    for (const std::int64_t number :
         {whole(s.door), whole(s.unseen), whole(s.shut), static_cast<std::int64_t>(s.turns)})
        to.append(1, '+').append(resp::decimal(std::clamp(number, std::int64_t{0}, most)));
}

std::optional<core::stranger_sight> read_sight(std::string_view text) noexcept {
    std::array<std::int64_t, 4> numbers{};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::int64_t& number : numbers) {
        if (at == end || *at != '+') return std::nullopt;
        const auto [behind, error] = std::from_chars(at + 1, end, number);
        if (error != std::errc() || number < 0 || number > most) return std::nullopt;
        at = behind;
    }
    if (at != end || numbers[0] == 0) return std::nullopt;
    constexpr std::int64_t most_turns = 1'000'000;
    return core::stranger_sight{.door = microseconds(numbers[0]),
                                .unseen = microseconds(numbers[1]),
                                .shut = microseconds(numbers[2]),
                                .turns = static_cast<std::uint32_t>(std::min(numbers[3], most_turns))};
}

} // namespace redlock::redis
