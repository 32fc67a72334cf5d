#pragma once

namespace redlock::network {

/// Keeps a forked child from using a descriptor, whoever tries to there: before the child does anything else,
/// its copy becomes that of a socket that has ended. What the child would read from a connection that it
/// shares would be missing in its parent, and the replies behind it would belong to other commands.
/// Thread-safe, as whole objects are.
class unshared_descriptor {
public:
    unshared_descriptor() = default;
    unshared_descriptor(const unshared_descriptor&) = delete;
    unshared_descriptor& operator=(const unshared_descriptor&) = delete;
    ~unshared_descriptor() { reset(); }

    /// Until `reset`, which comes before the descriptor is closed. Throws std::system_error or
    /// std::bad_alloc.
    void set(int descriptor);
    void reset() noexcept;

private:
    int descriptor_ = -1;
};

} // namespace redlock::network
