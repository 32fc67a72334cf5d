#pragma once

#include "support/process.hpp"

#include <string_view>

namespace redlock::test {

/// A child that talks in lines over its standard input and output; its standard error is that of this
/// process. Not thread-safe.
class child_process {
public:
    /// Runs `arguments[0]`; see `process`.
    explicit child_process(const std::vector<std::string>& arguments);

    /// The next line of its output without the line feed, or nothing when the bound passed or the output
    /// ended.
    std::optional<std::string> read_line(std::chrono::milliseconds bound);

    /// Throws `std::system_error` when the child has closed its input.
    void write_line(std::string_view line);

    void close_input() noexcept { input_.close(); }

    int pid() const noexcept { return process_.pid(); }
    std::optional<int> wait(std::chrono::milliseconds bound) { return process_.wait(bound); }
    void stop() { process_.stop(); }
    void resume() { process_.resume(); }
    void kill() noexcept { process_.kill(); }

private:
    struct pipe {
        pipe();
        file_descriptor read_end;
        file_descriptor write_end;
    };
    child_process(const std::vector<std::string>& arguments, pipe input, pipe output);

    file_descriptor input_;
    file_descriptor output_;
    std::string received_;
    process process_;
};

} // namespace redlock::test
