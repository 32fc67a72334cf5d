#include "program.hpp"

#include "support/eventually.hpp"

#include <csignal>
#include <stdexcept>

namespace redlock::test {
namespace {

std::vector<std::string> command_line(const std::string& path, const std::vector<std::string>& arguments) {
    std::vector<std::string> words{path};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
}

} // namespace

program::program(const std::string& path, const std::vector<std::string>& arguments)
    : child_(command_line(path, arguments)) {}

std::optional<std::string> program::line_with(const std::string& text) {
    while (auto line = child_.read_line(patience))
        if (line->find(text) != std::string::npos) return line;
    return std::nullopt;
}

int program::status() {
    if (const auto ended = child_.wait(patience)) return *ended;
    throw std::runtime_error("a program does not come to its end");
}

void program::signal(int number) { ::kill(child_.pid(), number); }

} // namespace redlock::test
