#include "text/progress_note.hpp"

#include "text/printable.hpp"
#include "text/terminal.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <unistd.h>

namespace redlock::tool {

using namespace std::chrono_literals;

progress_note::progress_note() noexcept
    : due_(::isatty(STDERR_FILENO) == 1 ? begun_ + 1s : clock::time_point::max()) {}

progress_note::~progress_note() {
    if (!drawn_) return;
    fmt::print(stderr, "\r\x1b[K");
    std::fflush(stderr);
}

void progress_note::draw(std::string_view text) {
    const auto passed = std::chrono::floor<std::chrono::seconds>(clock::now() - begun_);
    const std::string line = fmt::format("redlock: {}, {} s", printable(text), passed.count());
    // A line that is too long must not become two, of which the upper one stays.
    fmt::print(stderr, "\r\x1b[?7l{}\x1b[K\x1b[?7h", paint(has_colour(stderr), style::quiet, line));
    std::fflush(stderr);
    drawn_ = true;
    due_ = begun_ + passed + 1s;
}

} // namespace redlock::tool
