#include "watch_screen.hpp"

#include "key_table.hpp"
#include "terminal.hpp"

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

std::string row(const watched_key& k) {
    const verdict& now = k.history.last();
    const auto since = std::chrono::steady_clock::now() - k.history.since();
    const auto seconds = std::chrono::duration<double>(since).count();
    const auto waiting = now.waiting ? std::to_string(*now.waiting) : "-";
    return fmt::format("{:<24}  {:<7}  {:>9.1f} s  {:>9}  {:>5}  {:>9}  {:>7}  {}", k.key, word_of(now.state),
                       seconds, time_left(k.report), fmt::format("{}/{}", now.votes, now.all),
                       k.history.handoffs(), waiting,
                       now.state == key_state::held ? harmless(now.holder) : "");
}

} // namespace

std::string watch_screen::draw(const std::vector<watched_key>& keys, int columns) {
    const auto width = static_cast<std::size_t>(std::max(columns, 20));
    std::string text = drawn_ > 0 ? fmt::format("\x1b[{}A", drawn_) : "";
    const auto add = [&](const std::string& line, const fmt::text_style& style) {
        text += paint(colour_, style, line.substr(0, width)) + "\x1b[K\n";
    };
    add(fmt::format("{:<24}  {:<7}  {:>11}  {:>9}  {:>5}  {:>9}  {:>7}  {}", "key", "state", "since", "left",
                    "nodes", "hand-offs", "waiting", "holder"),
        style::quiet);
    for (const auto& k : keys)
        add(row(k), style_of(k.history.last().state));
    drawn_ = keys.size() + 1;
    return text;
}

std::string change_line(const watched_key& key, const std::string& change) {
    const auto now = std::chrono::floor<milliseconds>(std::chrono::system_clock::now());
    const auto part = now.time_since_epoch() % std::chrono::seconds(1);
    const auto second = std::chrono::system_clock::to_time_t(now);
    return fmt::format("{:%H:%M:%S}.{:03} {}: {}\n", fmt::localtime(second), part.count(), key.key, change);
}

} // namespace redlock::tool
