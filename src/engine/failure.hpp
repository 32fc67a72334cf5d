#pragma once

#include <string>
#include <string_view>

namespace redlock::engine {

/// What an engine knows of a request that failed, for those who want to hear more than a code. It is there
/// while the failure is told.
class failure {
public:
    /// A sentence for people, without anybody's password. `done` is what was not done: `granted the lock
    /// "order:17"`. Throws std::bad_alloc.
    virtual std::string describe(std::string_view done) const = 0;

protected:
    ~failure() = default;
};

} // namespace redlock::engine
