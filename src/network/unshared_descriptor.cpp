#include "network/unshared_descriptor.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <mutex>
#include <pthread.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace redlock::network {

namespace {

/// A socket that reads as ended and takes nothing, and that an epoll takes like any other.
int open_dead_end() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) != 0)
        throw std::system_error(errno, std::generic_category(), "socketpair");
    ::close(ends[1]);
    return ends[0];
}

/// Those of the whole process.
class all_descriptors {
public:
    static all_descriptors& of_process() {
        // Never destroyed: a child may be forked at any time.
        static auto& all = *new all_descriptors;
        return all;
    }

    void add(int descriptor) {
        const std::lock_guard hold(guard_);
        descriptors_.push_back(descriptor);
    }
    void remove(int descriptor) noexcept {
        const std::lock_guard hold(guard_);
        std::erase(descriptors_, descriptor);
    }

private:
    all_descriptors() : dead_end_(open_dead_end()) {
        const int failure =
            ::pthread_atfork([] { of_process().guard_.lock(); }, [] { of_process().guard_.unlock(); },
                             [] { of_process().cut_off(); });
        if (failure != 0) throw std::system_error(failure, std::generic_category(), "pthread_atfork");
    }

    // In the child, where only what a signal handler may do is allowed. An epoll that both share still has
    // the parent's.
    void cut_off() noexcept {
        const int before = errno;
        for (const int descriptor : descriptors_)
            ::dup3(dead_end_, descriptor, O_CLOEXEC);
        descriptors_.clear();
        errno = before;
        guard_.unlock();
    }

    const int dead_end_;
    std::mutex guard_;
    std::vector<int> descriptors_;
};

} // namespace

void unshared_descriptor::set(int descriptor) {
    reset();
    all_descriptors::of_process().add(descriptor);
    descriptor_ = descriptor;
}

void unshared_descriptor::reset() noexcept {
    if (descriptor_ >= 0) all_descriptors::of_process().remove(std::exchange(descriptor_, -1));
}

} // namespace redlock::network
