#include "role_process.hpp"

#include "support/system_error.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read_until.hpp>

#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace demo {
namespace {

std::vector<std::string> command_of(const std::vector<std::string>& arguments) {
    std::vector<std::string> command{"/proc/self/exe"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
}

} // namespace

role_process::pipe_ends::pipe_ends() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) redlock::test::throw_errno("pipe");
    read = redlock::test::file_descriptor(ends[0]);
    write = redlock::test::file_descriptor(ends[1]);
}

role_process::role_process(boost::asio::io_context& context, const std::vector<std::string>& arguments,
                           line_handler on_line)
    : role_process(context, arguments, std::move(on_line), pipe_ends(), pipe_ends()) {}

role_process::role_process(boost::asio::io_context& context, const std::vector<std::string>& arguments,
                           line_handler on_line, pipe_ends input, pipe_ends output)
    : input_(std::move(input.write)),
      process_(command_of(arguments), {input.read.get(), output.write.get(), STDERR_FILENO}),
      reader_(std::make_shared<reader>(context, ::dup(output.read.get()), std::move(on_line))) {
    read_line(reader_);
}

void role_process::read_line(std::shared_ptr<reader> from) {
    auto& r = *from;
    auto buffer = boost::asio::dynamic_buffer(r.received, 65536);
    auto on_read = [from = std::move(from)](boost::system::error_code error, std::size_t size) mutable {
        if (error == boost::asio::error::operation_aborted) return;
        from->ended = bool(error);
        if (error) return;
        const std::string line = from->received.substr(0, size - 1);
        from->received.erase(0, size);
        from->on_line(line);
        read_line(std::move(from));
    };
    boost::asio::async_read_until(r.output, buffer, '\n', std::move(on_read));
}

} // namespace demo
