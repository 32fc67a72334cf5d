#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

namespace redlock::tool {
namespace {

using words = std::vector<std::string>;

void set(const std::string& name, const setter& target, const words& choices, const std::string& word) {
    if (!choices.empty() && std::find(choices.begin(), choices.end(), word) == choices.end())
        throw usage_error(
            fmt::format("{} wants one of {}, not \"{}\"", name, fmt::join(choices, ", "), word));
    try {
        target(word);
    } catch (const usage_error& e) {
        throw usage_error(fmt::format("{} {}", name, e.what()));
    }
}

void add(CLI::App& app, const option& o) {
    if (o.value.empty()) {
        app.add_flag_callback(o.names, [&o] { o.set(""); });
    } else if (o.repeated) {
        // CLI11 would otherwise take every word up to the next option.
        app.add_option_function<words>(o.names,
                                       [&o](const words& all) {
                                           for (const auto& word : all)
                                               set(o.names, o.set, o.choices, word);
                                       })
            ->allow_extra_args(false);
    } else {
        app.add_option_function<std::string>(
            o.names, [&o](const std::string& word) { set(o.names, o.set, o.choices, word); });
    }
}

// CLI11 would read a key in brackets as a list, so it only sees to the options.
void take_arguments(const command& what, const words& given) {
    std::size_t next = 0;
    for (const auto& a : what.arguments) {
        if (next == given.size()) throw usage_error(a.name + " is missing");
        do {
            set(a.name, a.set, a.choices, given[next++]);
        } while (a.repeated && next < given.size());
    }
    if (next == given.size()) return;
    const char* const advice = what.tail.empty() ? "" : "; a command to run stands behind \"--\"";
    throw usage_error(fmt::format("does not know what to do with \"{}\"{}", given[next], advice));
}

void take_tail(const command& what, words::const_iterator separator, words::const_iterator end) {
    if (separator != end) {
        if (what.tail.empty()) throw usage_error("takes nothing behind \"--\"");
        std::for_each(separator + 1, end, what.set_tail);
    }
    if (what.tail_required && end - separator < 2) throw usage_error("wants -- " + what.tail);
}

/// Whatever stands before the last @ may be a part of a password, however wrong the address is.
std::string without_user(std::string word) {
    const auto scheme = word.find("://");
    if (scheme == word.npos) return word;
    const auto begin = scheme + 3;
    if (const auto at = word.rfind('@'); at != word.npos && at >= begin) word.erase(begin, at + 1 - begin);
    if (const auto query = word.find('?', begin); query != word.npos) word.erase(query);
    return word;
}

/// As a shell reads it again.
std::string in_quotes(const std::string& word) {
    constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    if (!word.empty() && word.find_first_not_of(plain) == word.npos) return word;
    std::string result = "'";
    for (const char c : word)
        result += c == '\'' ? "'\\''" : std::string(1, c);
    return result + '\'';
}

/// Whether the word is this option, with its value or without it.
bool is_option(const std::string& word, const std::string& name) {
    const bool is_short = name.size() == 2;
    return word == name || word.starts_with(name + '=') || (is_short && word.starts_with(name));
}

const option* find_option(const std::vector<option>& options, const std::string& word, bool& alone) {
    for (const auto& o : options)
        for (std::size_t begin = 0; begin < o.names.size();) {
            const auto end = std::min(o.names.find(',', begin), o.names.size());
            const std::string name = o.names.substr(begin, end - begin);
            alone = word == name;
            if (is_option(word, name)) return &o;
            begin = end + 1;
        }
    return nullptr;
}

} // namespace

std::string shown_line(const std::string& command, const words& given) {
    std::string line = "redlock " + command;
    for (const auto& word : given)
        line += ' ' + in_quotes(without_user(word));
    return line;
}

std::size_t words_before_command(const words& given, const std::vector<option>& options) {
    std::size_t place = 0;
    while (place < given.size() && given[place].starts_with('-')) {
        const std::string& word = given[place];
        bool alone = false;
        const option* const found = find_option(options, word, alone);
        if (!found)
            throw usage_error(fmt::format("only options of nodes may stand before the command, not {}",
                                          word.substr(0, word.find('='))));
        place += alone && !found->value.empty() ? std::size_t{2} : std::size_t{1};
    }
    return std::min(place, given.size());
}

bool asks_for_help(const command& what, const std::vector<option>& options, const words& given) {
    // What stands behind the first "--" belongs to somebody else, whatever it is.
    const auto separator = std::find(given.begin(), given.end(), "--");
    CLI::App app;
    bool help = false;
    app.set_help_flag();
    app.allow_extras();
    for (const auto& o : options)
        add(app, o);
    app.add_flag_callback("-h,--help", [&help] { help = true; });
    try {
        app.parse(words(std::make_reverse_iterator(separator), given.rend()));
    } catch (const CLI::Error& e) {
        throw usage_error(e.what());
    }
    if (help) return true;
    const words rest = app.remaining();
    for (const auto& word : rest)
        if (word.size() > 1 && word[0] == '-')
            throw usage_error("has no option " + word.substr(0, word.find('=')));
    take_arguments(what, rest);
    take_tail(what, separator, given.end());
    return false;
}

} // namespace redlock::tool
