#include "engines/redis/dialect/token_news.hpp"

#include "engines/redis/dialect/sight_text.hpp"

#include <algorithm>
#include <charconv>

namespace redlock::redis {

namespace {

/// The fields of a text, from its beginning on.
class fields {
public:
    explicit fields(std::string_view text) noexcept : rest_(text) {}

    std::string_view next() noexcept {
        const std::size_t end = rest_.find('|');
        const std::string_view field = rest_.substr(0, end);
        rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
        return field;
    }
    std::string_view rest() const noexcept { return rest_; }

private:
    std::string_view rest_;
};

template <class Duration>
std::optional<Duration> duration_in(std::string_view text) noexcept {
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc() || end != text.data() + text.size() || count < 0) return std::nullopt;
    return Duration(count);
}

} // namespace

std::optional<token_news> read_token_news(const resp::reply& message) noexcept {
    const resp::reply kind = message.first();
    if (kind.text() != "message" || !kind.next().text().starts_with("redlock:")) return std::nullopt;
    fields text(kind.next().next().text());
    const std::string_view what = text.next();
    const auto token = core::read_token(text.next());
    if (!token) return std::nullopt;
    if (what == "w") {
        const auto first = core::read_token(text.next());
        return token_news{
            .what = token_news::kind::wanted, .token = *token, .key = text.rest(), .first_waiting = first};
    }
    if (what == "f") return token_news{.what = token_news::kind::free, .token = *token, .key = text.rest()};
    if (what != "y") return std::nullopt;
    const auto entered_at = duration_in<std::chrono::nanoseconds>(text.next());
    // The clock of the server was set back: it is as if it had been entered just now.
    const std::string_view age_text = text.next();
    const auto age = duration_in<std::chrono::milliseconds>(age_text.starts_with('-') ? "0" : age_text);
    constexpr std::chrono::milliseconds oldest = std::chrono::hours(24);
    const std::string_view row_text = text.next();
    const std::size_t row_end = std::min(row_text.find('+'), row_text.size());
    const auto row = duration_in<std::chrono::microseconds>(row_text.substr(0, row_end));
    if (!entered_at || !age || *age > oldest || !row || *row > oldest) return std::nullopt;
    const auto strangers = read_sight(row_text.substr(row_end));
    if (!strangers && row_end < row_text.size()) return std::nullopt;
    const auto first = core::read_token(text.next());
    const std::string_view released = text.next();
    return token_news{.what = token_news::kind::handed,
                      .token = *token,
                      .key = text.rest(),
                      .first_waiting = first,
                      .entered_at = *entered_at,
                      .age = *age,
                      .row = *row,
                      .strangers = strangers,
                      .released = released};
}

} // namespace redlock::redis
