#include "text/key_input.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace redlock::tool {
namespace {

bool in_foreground() { return ::tcgetpgrp(STDIN_FILENO) == ::getpgrp(); }

} // namespace

key_input::key_input(const boost::asio::any_io_executor& executor, std::function<void(char)> on_key)
    : on_key_(std::move(on_key)), keyboard_(executor) {
    termios now{};
    if (!in_foreground() || ::tcgetattr(STDIN_FILENO, &now) != 0) return;
    // Opened anew: what is read does not wait, which must not become so for all who have the terminal open.
    const int descriptor = ::open("/dev/tty", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor == -1) return;
    keyboard_.assign(descriptor);
    former_ = now;
    resume();
}

key_input::~key_input() {
    if (former_ && in_foreground()) ::tcsetattr(STDIN_FILENO, TCSANOW, &*former_);
}

void key_input::resume() {
    if (!former_ || !in_foreground()) return;
    termios raw = *former_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    if (!reading_) read();
}

void key_input::read() {
    reading_ = true;
    keyboard_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                         [this, life = std::weak_ptr(life_)](boost::system::error_code error) {
                             if (error || life.expired()) return;
                             // In the background, reading would stop the process.
                             char pressed = 0;
                             reading_ =
                                 in_foreground() && ::read(keyboard_.native_handle(), &pressed, 1) == 1;
                             if (!reading_) return;
                             on_key_(pressed);
                             read();
                         });
}

} // namespace redlock::tool
