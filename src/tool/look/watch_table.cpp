#include "look/watch_table.hpp"

#include "look/key_table.hpp"
#include "text/printable.hpp"
#include "text/text_table.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace redlock::tool {
namespace {

using std::chrono::milliseconds;

// As wide as they get, so that the columns stay where they are.
std::vector<std::string> row(const watched_key& k) {
    const verdict& now = k.history.last();
    const auto since = std::chrono::steady_clock::now() - k.history.since();
    const auto seconds = std::chrono::duration<double>(since).count();
    return {printable(k.key),
            padded(word_of(now.state), 7),
            padded_left(fmt::format("{:.1f} s", seconds), 9),
            padded_left(left_of(k.report), 9),
            fmt::format("{}/{}", now.votes, now.all),
            padded_left(std::to_string(k.history.handoffs()), 5),
            now.waiting ? std::to_string(*now.waiting) : "-",
            who_of(now)};
}

} // namespace

std::string table_of(const std::vector<watched_key>& keys, const reader& where) {
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
    return table.text(where);
}

std::string change_line(const watched_key& key, const std::string& change) {
    const auto now = std::chrono::floor<milliseconds>(std::chrono::system_clock::now());
    const auto part = now.time_since_epoch() % std::chrono::seconds(1);
    const auto second = std::chrono::system_clock::to_time_t(now);
    return fmt::format("{:%H:%M:%S}.{:03} {}: {}\n", fmt::localtime(second), part.count(), printable(key.key),
                       change);
}

} // namespace redlock::tool
