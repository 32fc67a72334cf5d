#include "options.hpp"

#include <charconv>
#include <stdexcept>

namespace bench {
namespace {

std::size_t parse_runs(const std::string& text) {
    std::size_t runs = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), runs);
    if (error != std::errc{} || end != text.data() + text.size() || runs < 1 || runs > 1000)
        throw std::invalid_argument("--runs wants a number from 1 to 1000, not \"" + text + "\"");
    return runs;
}

} // namespace

options parse(const std::vector<std::string>& arguments) {
    options o;
    std::optional<std::size_t> runs;
    for (auto a = arguments.begin(); a != arguments.end(); ++a) {
        const bool has_value = a + 1 != arguments.end() && !(a + 1)->starts_with("--");
        if (*a == "--quick") {
            o.how_much = {3, std::chrono::milliseconds(150), std::chrono::milliseconds(500)};
        } else if (*a == "--help") {
            o.help = true;
        } else if (*a == "--tls") {
            o.tls = true;
        } else if (*a == "--kinds") {
            o.kinds = true;
        } else if (*a == "--check") {
            o.check = true;
        } else if (*a == "--runs") {
            runs = parse_runs(has_value ? *++a : "");
        } else if (*a == "--json") {
            o.json = has_value ? *++a : "";
        } else if (*a == "--hold" && has_value) {
            o.hold_on.assign(a + 1, arguments.end());
            return o;
        } else {
            throw std::invalid_argument("unknown argument \"" + *a + "\"");
        }
    }
    if (o.tls && o.kinds) throw std::invalid_argument("takes --tls or --kinds, not both");
    if (runs) o.how_much.runs = *runs;
    return o;
}

} // namespace bench
