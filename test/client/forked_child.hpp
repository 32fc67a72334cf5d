#pragma once

#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>

namespace redlock::test {

/// A copy of this process that does one thing and is gone. It is killed when the object is destroyed.
class forked_child {
public:
    /// In the child `what` is called and gives the name of what went wrong, or nothing. None of the objects
    /// of this process is destroyed there.
    explicit forked_child(const std::function<std::string()>& what);
    forked_child(const forked_child&) = delete;
    forked_child& operator=(const forked_child&) = delete;
    ~forked_child();

    /// Whether it has ended. Does not wait.
    bool ended();
    /// After that: what it said, or that it did not end by itself.
    std::string verdict();
    /// SIGSTOP; returns when the child has stopped.
    void stop();
    /// SIGCONT.
    void resume();

private:
    pid_t pid_ = -1;
    int reports_ = -1;
    std::optional<int> status_;
};

} // namespace redlock::test
