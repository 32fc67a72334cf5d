#include "cli/option_words.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>

namespace redlock::tool {
namespace {

struct name {
    std::string_view field;
    std::string_view option;
};

// What is not here has the same name in the configuration file.
constexpr std::array names{name{"config::nodes", "--node"},
                           name{"config::backup", "--backup"},
                           name{"config::node_timeout", "--node-timeout"},
                           name{"config::key_prefix", "--key-prefix"},
                           name{"config::tls.ca_file", "--cacert"},
                           name{"config::tls.ca_path", "--cacertdir"},
                           name{"config::tls.certificate_file", "--cert"},
                           name{"config::tls.key_file", "--key"},
                           name{"config::tls.server_name", "--tls-server-name"},
                           name{"config::holder_label", "--label"},
                           name{"lock_options::ttl", "--ttl"},
                           name{"lock_options::wait", "--wait"},
                           name{"lock_options::lock_delay", "--lock-delay"},
                           name{"config::", ""},
                           name{"lock_options::", ""}};

bool belongs_to_name(char c) { return (c >= 'a' && c <= 'z') || c == '_' || c == '['; }

void replace_all(std::string& text, const name& n) {
    const bool whole = !n.option.empty();
    for (auto at = text.find(n.field); at != text.npos; at = text.find(n.field, at + n.option.size())) {
        const auto end = at + n.field.size();
        if (whole && end < text.size() && belongs_to_name(text[end])) {
            at += n.field.size();
            continue;
        }
        text.replace(at, n.field.size(), n.option);
    }
}

/// The nodes are counted from 1, for people, and may have been named elsewhere than by the option.
void count_nodes(std::string& text) {
    constexpr std::string_view field = "config::nodes[";
    auto last = text.npos;
    for (auto at = text.find(field); at != text.npos; at = text.find(field, at)) {
        const auto close = text.find(']', at);
        unsigned place = 0;
        const char* const digits = text.data() + at + field.size();
        if (close == text.npos || std::from_chars(digits, text.data() + close, place).ec != std::errc())
            return;
        const std::string counted = fmt::format("node {}", place + 1);
        text.replace(at, close + 1 - at, counted);
        last = at + counted.size();
    }
    if (last != text.npos) text.insert(last, " (see --node)");
}

} // namespace

std::string in_options(std::string text) {
    count_nodes(text);
    for (const name& n : names)
        replace_all(text, n);
    return text;
}

} // namespace redlock::tool
