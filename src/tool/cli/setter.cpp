#include "cli/setter.hpp"

#include <redlock/config.hpp>

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace redlock::tool {
namespace {

using std::chrono::milliseconds;

struct unit {
    std::string_view name;
    double milliseconds;
};

constexpr std::array units{unit{"ms", 1}, unit{"s", 1e3}, unit{"m", 6e4}, unit{"h", 3.6e6},
                           unit{"d", 8.64e7}};

// Beyond this a double does not count milliseconds one by one.
constexpr double longest = 9e15;

template <class Number>
Number parse_number(const std::string& word, Number least, Number most) {
    Number number{};
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, number);
    if (error != std::errc{} || stop != end || !(number >= least && number <= most))
        throw usage_error(fmt::format("wants a number from {} to {}, not \"{}\"", least, most, word));
    return number;
}

milliseconds parse_time_within(const std::string& word, milliseconds least, milliseconds most) {
    const milliseconds time = parse_time(word);
    if (time < least || time > most) {
        const auto limit = most == forever ? std::string("or more") : "to " + text_of(most);
        throw usage_error(fmt::format("wants a time of {} {}, not \"{}\"", text_of(least), limit, word));
    }
    return time;
}

} // namespace

milliseconds parse_time(const std::string& text) {
    if (text == "forever") return forever;
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
    std::string_view name(stop, static_cast<std::size_t>(end - stop));
    if (name.empty()) name = "s";
    for (const auto& u : units) {
        const double total = number * u.milliseconds;
        if (error == std::errc{} && name == u.name && total >= 0 && total <= longest)
            return milliseconds(std::llround(total));
    }
    throw usage_error(fmt::format("wants a time such as 500ms, 10s, 2m or 1h, not \"{}\"", text));
}

std::string text_of(milliseconds time) {
    if (time == forever) return "forever";
    const auto count = time.count();
    for (auto u = units.rbegin(); u != units.rend(); ++u) {
        const auto size = static_cast<milliseconds::rep>(u->milliseconds);
        if (count % size == 0 && (count != 0 || size == 1000))
            return fmt::format("{}{}", count / size, u->name);
    }
    return fmt::format("{}ms", count);
}

setter into(bool& target) {
    return [&target](const std::string&) { target = true; };
}

setter into(std::string& target) {
    return [&target](const std::string& word) { target = word; };
}

setter into(std::optional<std::string>& target) {
    return [&target](const std::string& word) { target = word; };
}

setter into(std::vector<std::string>& target) {
    return [&target](const std::string& word) { target.push_back(word); };
}

setter into(std::uint64_t& target, std::uint64_t least, std::uint64_t most) {
    return [=, &target](const std::string& word) { target = parse_number(word, least, most); };
}

setter into(std::optional<std::uint64_t>& target, std::uint64_t least, std::uint64_t most) {
    return [=, &target](const std::string& word) { target = parse_number(word, least, most); };
}

setter into(double& target, double least, double most) {
    return [=, &target](const std::string& word) { target = parse_number(word, least, most); };
}

setter into(milliseconds& target, milliseconds least, milliseconds most) {
    return [=, &target](const std::string& word) { target = parse_time_within(word, least, most); };
}

setter into(std::optional<milliseconds>& target, milliseconds least, milliseconds most) {
    return [=, &target](const std::string& word) { target = parse_time_within(word, least, most); };
}

} // namespace redlock::tool
