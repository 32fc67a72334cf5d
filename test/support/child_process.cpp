#include "support/child_process.hpp"

#include "support/system_error.hpp"

#include <csignal>
#include <fcntl.h>
#include <poll.h>

namespace redlock::test {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

child_process::pipe::pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw_errno("pipe");
    read_end = file_descriptor(ends[0]);
    write_end = file_descriptor(ends[1]);
}

child_process::child_process(const std::vector<std::string>& arguments)
    : child_process(arguments, pipe(), pipe()) {}

child_process::child_process(const std::vector<std::string>& arguments, pipe input, pipe output)
    : input_(std::move(input.write_end)),
      output_(std::move(output.read_end)),
      process_(arguments, {input.read_end.get(), output.write_end.get(), STDERR_FILENO}) {
    // A write to a child that is gone must be an error here, not the end of the whole test program.
    std::signal(SIGPIPE, SIG_IGN);
}

std::optional<std::string> child_process::read_line(milliseconds bound) {
    const auto deadline = steady_clock::now() + bound;
    for (;;) {
        if (const auto end = received_.find('\n'); end != std::string::npos) {
            std::string line = received_.substr(0, end);
            received_.erase(0, end + 1);
            return line;
        }
        const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
        pollfd readable{output_.get(), POLLIN, 0};
        if (left <= milliseconds(0) || ::poll(&readable, 1, static_cast<int>(left.count())) <= 0)
            return std::nullopt;
        char chunk[4096];
        const auto size = ::read(output_.get(), chunk, sizeof chunk);
        if (size <= 0) return std::nullopt;
        received_.append(chunk, static_cast<std::size_t>(size));
    }
}

void child_process::write_line(std::string_view line) {
    const std::string text = std::string(line) + '\n';
    for (std::size_t sent = 0; sent < text.size();) {
        const auto size = ::write(input_.get(), text.data() + sent, text.size() - sent);
        if (size < 0) throw_errno("write to the child's input");
        sent += static_cast<std::size_t>(size);
    }
}

} // namespace redlock::test
