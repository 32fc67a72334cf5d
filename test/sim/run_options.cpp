#include "sim/run_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace redlock::sim {

namespace {

std::uint64_t number(std::string_view option, std::string_view text) {
    std::uint64_t n = 0;
    const char* const end = text.data() + text.size();
    if (text.empty() || std::from_chars(text.data(), end, n).ptr != end)
        throw std::invalid_argument(fmt::format("{} takes a number, not '{}'", option, text));
    return n;
}

} // namespace

run_options::run_options(int argc, const char* const* argv)
    : jobs(std::clamp(std::thread::hardware_concurrency(), 1u, 16u)) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view option = argv[i];
        if (option == "--trace") {
            traces = true;
            continue;
        }
        if (option == "--shares") {
            shares = true;
            continue;
        }
        const std::string_view given = i + 1 < argc ? argv[++i] : "";
        if (option == "--seeds") {
            count = number(option, given);
        } else if (option == "--from") {
            first = number(option, given);
        } else if (option == "--seed") {
            first = number(option, given);
            one_seed = true;
        } else if (option == "--jobs") {
            jobs = static_cast<unsigned>(std::clamp<std::uint64_t>(number(option, given), 1, 64));
        } else if (option == "--enough") {
            enough = number(option, given);
        } else if (option == "--mistake") {
            mistake = given;
        } else if (option == "--failed-seeds") {
            failed_seeds = given;
        } else {
            throw std::invalid_argument(fmt::format("unknown option {}", option));
        }
    }
    if (traces && !one_seed) throw std::invalid_argument("--trace needs --seed: it prints one run");
}

std::vector<std::uint64_t> read_seeds(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error(fmt::format("cannot read {}", path));
    std::vector<std::uint64_t> seeds;
    for (std::string line; std::getline(file, line);) {
        std::string_view text(line);
        text = text.substr(0, text.find('#'));
        text = text.substr(0, text.find_last_not_of(" \t\r") + 1);
        if (!text.empty()) seeds.push_back(number("a line of " + path, text));
    }
    return seeds;
}

} // namespace redlock::sim
