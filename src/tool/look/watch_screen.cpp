#include "look/watch_screen.hpp"

#include "look/key_table.hpp"
#include "text/printable.hpp"
#include "text/text_table.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

namespace redlock::tool {
namespace {

using std::chrono::milliseconds;

// The longest that any node keeps it for.
std::string time_left(const key_report& report) {
    std::optional<milliseconds> most;
    for (const auto& n : report.nodes)
        if (n.remaining && (!most || *n.remaining > *most)) most = n.remaining;
    return most ? fmt::format("{:.1f} s", static_cast<double>(most->count()) / 1000) : "";
}

std::string who_holds(const verdict& now) {
    const std::string holder = holder_of(now);
    return now.leader ? fmt::format("{} leads: {}", printable(now.leader->value), holder) : holder;
}

// As wide as they get, so that the columns stay where they are.
std::vector<std::string> row(const watched_key& k) {
    const verdict& now = k.history.last();
    const auto since = std::chrono::steady_clock::now() - k.history.since();
    const auto seconds = std::chrono::duration<double>(since).count();
    return {printable(k.key),
            padded(word_of(now.state), 7),
            padded_left(fmt::format("{:.1f} s", seconds), 9),
            padded_left(time_left(k.report), 9),
            fmt::format("{}/{}", now.votes, now.all),
            padded_left(std::to_string(k.history.handoffs()), 5),
            now.waiting ? std::to_string(*now.waiting) : "-",
            now.state == key_state::held   ? who_holds(now)
            : now.state == key_state::read ? text_of(now)
                                           : ""};
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = text.find('\n', begin);
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

} // namespace

std::string watch_screen::draw(const std::vector<watched_key>& keys, const reader& where, std::size_t rows) {
    using side = text_table::side;
    text_table table({{"key"},
                      {"state"},
                      {"since", side::right},
                      {"left", side::right},
                      {"nodes", side::right},
                      {"hand-offs", side::right},
                      {"waiting", side::right},
                      {"holder"}});
    for (const auto& k : keys)
        table.add(row(k), &style_of(k.history.last().state));
    auto lines = lines_of(table.text(where));
    // The cursor stands in a line of its own below, and what has left the screen cannot be drawn over.
    if (const std::size_t most = std::max<std::size_t>(rows, 3) - 1; lines.size() > most) {
        const std::string note = fmt::format("{} more lines", lines.size() - most + 1);
        lines.resize(most - 1);
        lines.push_back(paint(where.colour, style::quiet, note));
    }
    // What a terminal makes of the old lines when its size changes is its own affair.
    const bool resized = drawn_ > 0 && (where.width != width_ || rows != rows_);
    std::string text = resized ? "\x1b[H\x1b[2J" : drawn_ > 0 ? fmt::format("\x1b[{}A", drawn_) : "";
    // A line that is too long, with a key like that for example, must not become two.
    text += "\x1b[?7l";
    for (const auto& line : lines)
        text += line + "\x1b[K\n";
    text += "\x1b[J\x1b[?7h";
    drawn_ = lines.size();
    width_ = where.width;
    rows_ = rows;
    return text;
}

std::string change_line(const watched_key& key, const std::string& change) {
    const auto now = std::chrono::floor<milliseconds>(std::chrono::system_clock::now());
    const auto part = now.time_since_epoch() % std::chrono::seconds(1);
    const auto second = std::chrono::system_clock::to_time_t(now);
    return fmt::format("{:%H:%M:%S}.{:03} {}: {}\n", fmt::localtime(second), part.count(), printable(key.key),
                       change);
}

} // namespace redlock::tool
