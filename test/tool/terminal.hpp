#pragma once

#include "support/file_descriptor.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace redlock::test {

/// The tool on a terminal of its own, as the leader of its session. It is killed when the object is
/// destroyed.
class terminal {
public:
    explicit terminal(const std::vector<std::string>& words, unsigned short columns = 120);
    terminal(const terminal&) = delete;
    terminal& operator=(const terminal&) = delete;
    ~terminal();

    int pid() const noexcept { return pid_; }

    /// What is typed; "\x03" is Ctrl-C and "\x1a" Ctrl-Z.
    void type(const std::string& text) const;

    /// Reads until the text appears on the screen; false when patience or the output ended before. What was
    /// read is not looked at again.
    bool shows(const std::string& text);

    /// Reads until the output ends or patience does. Returns the lines of all that was read, without the
    /// sequences that colour them.
    std::vector<std::string> all_lines();

    /// Another size from now on, of which the tool is told by SIGWINCH.
    void resize(unsigned short columns, unsigned short rows = 24) const;

    /// All that was read.
    const std::string& screen() const noexcept { return screen_; }

    /// The process group in the foreground.
    int foreground() const;

    /// Waits until the tool has stopped; false when it ended instead.
    bool has_stopped() const;

    /// Its exit status; −n when signal n ended it, nothing when patience ended.
    std::optional<int> status();

private:
    file_descriptor master_;
    std::string screen_;
    std::size_t seen_ = 0;
    int pid_ = -1;
    std::optional<int> status_;
};

} // namespace redlock::test
