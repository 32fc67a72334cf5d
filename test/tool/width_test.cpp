#include "screen.hpp"
#include "terminal.hpp"
#include "tool/text/text_width.hpp"
#include "tool_fixture.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <initializer_list>

namespace redlock::test {
namespace {

struct width_fixture : tool_fixture {
    environment kind{"TERM", "xterm"};
};

/// A word that is longer than a line cannot be broken.
bool fits(std::string_view line, std::size_t columns) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return line.find(' ') == line.npos || tool::display_width(line) <= columns;
}

BOOST_FIXTURE_TEST_SUITE(width, width_fixture)

BOOST_AUTO_TEST_CASE(every_table_fits_the_terminal) {
    hold("k");
    nodes[4].kill();
    for (const unsigned short columns : std::initializer_list<unsigned short>{40, 60, 80, 100, 200})
        for (const std::vector<std::string>& words :
             {std::vector<std::string>{"inspect", "k"},
              {"inspect", "--help"},
              {"--help"},
              {"doctor"},
              {"break", "--yes", "none"},
              {"bench", "--callers", "2", "--rate", "1000", "--count", "4", "--quiet"}}) {
            std::vector<std::string> line{REDLOCK_TOOL};
            line.insert(line.end(), words.begin(), words.end());
            terminal tty(line, columns);
            const auto lines = tty.all_lines();
            BOOST_TEST(lines.size() > 2u);
            for (const auto& each : lines)
                // A command line in an example is to be copied as it is.
                BOOST_TEST((fits(each, columns) || each.find("redlock inspect --json") != each.npos),
                           fmt::format("{} at {}: {}", words[0], columns, each));
        }
}

BOOST_AUTO_TEST_CASE(a_narrow_terminal_shows_all_that_a_wide_one_does) {
    terminal narrow({REDLOCK_TOOL, "doctor"}, 40);
    std::string text;
    for (const auto& line : narrow.all_lines())
        text += ' ' + line.substr(std::min(line.find_first_not_of(' '), line.size()));
    for (auto& node : nodes)
        BOOST_TEST(text.find(node.uri()) != std::string::npos);
    for (const char* part : {"role master", "server ", "round trip ", "out of memory no limit", "wake-up "})
        BOOST_TEST(text.find(part) != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(a_watch_is_drawn_afresh_when_the_size_changes) {
    hold("k");
    terminal tty({REDLOCK_TOOL, "watch", "--interval", "1h", "k", "a:key:that:is:free"}, 120);
    screen seen(120, 24);
    std::size_t shown = 0;
    const auto show_all = [&] {
        seen.show(std::string_view(tty.screen()).substr(shown));
        shown = tty.screen().size();
    };
    BOOST_REQUIRE(tty.shows("\n"));
    BOOST_REQUIRE(tty.shows("somebody"));
    BOOST_REQUIRE(tty.shows("free"));
    BOOST_REQUIRE(tty.shows("\n"));
    show_all();
    for (const unsigned short columns : std::initializer_list<unsigned short>{60, 40, 100, 120}) {
        seen.resize(columns, 24);
        tty.resize(columns);
        BOOST_REQUIRE(tty.shows("somebody"));
        BOOST_REQUIRE(tty.shows("a:key:that:is:free"));
        BOOST_REQUIRE(tty.shows("\n"));
        show_all();
        const auto lines = seen.lines();
        for (const char* word : {"somebody", "a:key:that:is:free"})
            BOOST_TEST(std::ranges::count_if(lines, [&](const auto& l) { return l.find(word) != l.npos; }) ==
                           1,
                       fmt::format("{} at {}:\n{}", word, columns, fmt::join(lines, "\n")));
    }
    tty.type("\x03");
    BOOST_TEST(tty.status().value_or(-1) == 130);
}

BOOST_AUTO_TEST_CASE(a_watch_of_a_long_key_stays_in_its_place) {
    terminal tty({REDLOCK_TOOL, "watch", "--interval", "20ms", std::string(70, 'x'), "other"}, 50);
    for (int i = 0; i < 3; ++i)
        BOOST_REQUIRE(tty.shows("other"));
    BOOST_REQUIRE(tty.shows("\x1b[J"));
    screen seen(50, 24);
    seen.show(tty.screen());
    const auto lines = seen.lines();
    BOOST_TEST(std::ranges::count_if(lines, [](const auto& l) { return l.starts_with("xxx"); }) == 1);
}

BOOST_AUTO_TEST_CASE(a_watch_of_more_than_fits_does_not_scroll) {
    std::vector<std::string> words{REDLOCK_TOOL, "watch", "--interval", "20ms"};
    for (int i = 0; i < 60; ++i)
        words.push_back(fmt::format("key-{:02}", i));
    terminal tty(words, 120);
    for (int i = 0; i < 3; ++i)
        BOOST_REQUIRE(tty.shows("key-00"));
    BOOST_REQUIRE(tty.shows("more"));
    screen seen(120, 24);
    seen.show(tty.screen());
    const auto lines = seen.lines();
    BOOST_TEST(std::ranges::count_if(lines, [](const auto& l) { return l.starts_with("key-00"); }) == 1);
    BOOST_TEST(lines.size() < 24u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
