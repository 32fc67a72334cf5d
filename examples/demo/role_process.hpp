#pragma once

#include "support/process.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace demo {

/// This program in one of its roles, as a child whose lines are read as they come. It is killed with this
/// object.
class role_process {
public:
    using line_handler = std::function<void(const std::string& line)>;

    /// The handler runs on the io_context. Throws `std::system_error`.
    role_process(boost::asio::io_context& context, const std::vector<std::string>& arguments,
                 line_handler on_line);
    role_process(const role_process&) = delete;
    role_process& operator=(const role_process&) = delete;
    ~role_process() { reader_->output.close(); }

    /// Closes its standard input, which tells it to come to an end.
    void finish() noexcept { input_.close(); }

    /// Whether it has closed its standard output.
    bool ended() const noexcept { return reader_->ended; }

private:
    struct pipe_ends {
        pipe_ends();
        redlock::test::file_descriptor read;
        redlock::test::file_descriptor write;
    };

    /// Outlives this object while a read is under way.
    struct reader {
        reader(boost::asio::io_context& context, int from, line_handler handler)
            : output(context, from), on_line(std::move(handler)) {}

        boost::asio::posix::stream_descriptor output;
        line_handler on_line;
        std::string received;
        bool ended = false;
    };

    role_process(boost::asio::io_context& context, const std::vector<std::string>& arguments,
                 line_handler on_line, pipe_ends input, pipe_ends output);
    static void read_line(std::shared_ptr<reader> from);

    redlock::test::file_descriptor input_;
    redlock::test::process process_;
    std::shared_ptr<reader> reader_;
};

} // namespace demo
