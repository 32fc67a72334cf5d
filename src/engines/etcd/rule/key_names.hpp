#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace redlock::etcd {

/// What the keys of locks are called in etcd: `PREFIX/<lock>/<try>`, one for each who has the lock or waits
/// for it. In the name of the lock `/` and `%` are written as `%2F` and `%25`, so that the keys of one lock
/// are all between two names, and no other lock's are.
class key_names {
public:
    explicit key_names(std::string_view prefix)
        : beginning_(std::string(prefix) + '/'), graves_(std::string(prefix) + "-dead/") {}

    /// All of the lock's keys begin like this.
    std::string queue(std::string_view lock) const { return beginning_ + escaped(lock) + '/'; }
    /// The first name behind all that begin like this, which ends with a slash.
    static std::string behind(std::string queue) {
        queue.back() = '/' + 1;
        return queue;
    }
    /// What says that nothing is to be written for that try any more.
    std::string grave(std::string_view try_name) const { return graves_ + std::string(try_name); }

    /// Of locks that begin like this; empty for all.
    std::string beginning_of(std::string_view lock) const { return beginning_ + escaped(lock); }
    /// The first name behind all that begin like this.
    static std::string behind_all(std::string beginning);

    struct parts {
        std::string lock;
        std::string_view try_name;
    };
    /// Of a key of a lock; nothing where it is none.
    std::optional<parts> read(std::string_view key) const;

    static std::string escaped(std::string_view lock);

private:
    const std::string beginning_;
    const std::string graves_;
};

} // namespace redlock::etcd
