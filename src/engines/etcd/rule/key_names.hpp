#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace redlock::etcd {

/// What the keys of locks are called in etcd: `PREFIX/<lock>/<try>`, one for each who has the lock or waits
/// for it, `PREFIX/<lock>/~read/<try>` for those who read, and `PREFIX/<lock>/~downgraded/<try>` for those
/// who read behind having written. No name of a try has a tilde, nor anything behind it in the order of
/// names. In the name of the lock `/` and `%` are written as `%2F` and `%25`, so that the keys of one lock
/// are all between two names, and no other lock's are. What the leader of that name proclaims stands under
/// `PREFIX-leader/<lock>`, which is in no queue.
class key_names {
public:
    explicit key_names(std::string_view prefix)
        : beginning_(std::string(prefix) + '/'),
          graves_(std::string(prefix) + "-dead/"),
          leaders_(std::string(prefix) + "-leader/") {}

    /// All of the lock's keys begin like this.
    std::string queue(std::string_view lock) const { return beginning_ + escaped(lock) + '/'; }
    /// The first name behind all that begin like this, which ends with a slash.
    static std::string behind(std::string queue) {
        queue.back() = '/' + 1;
        return queue;
    }
    /// The first name behind the keys in that queue of those who write.
    static std::string behind_writers(const std::string& queue) { return queue + '~'; }
    /// The keys in that queue of those who read begin like this.
    static std::string readers(const std::string& queue) { return queue + "~read/"; }
    /// Likewise of those who wrote before.
    static std::string downgraded(const std::string& queue) { return queue + "~downgraded/"; }
    /// What says that nothing is to be written for that try to have the lock any more.
    std::string grave(std::string_view lock, std::string_view tried_as) const {
        return graves_ + escaped(lock) + '/' + std::string(tried_as);
    }
    /// What the lock's holder has proclaimed, if he leads.
    std::string leader(std::string_view lock) const { return leaders_ + escaped(lock); }

    /// Of locks that begin like this; empty for all.
    std::string beginning_of(std::string_view lock) const { return beginning_ + escaped(lock); }
    /// The first name behind all that begin like this.
    static std::string behind_all(std::string beginning);

    struct parts {
        std::string lock;
        std::string_view try_name; ///< with what says that it reads
    };
    /// Of a key of a lock; nothing where it is none.
    std::optional<parts> read(std::string_view key) const;

    static std::string escaped(std::string_view lock);

private:
    const std::string beginning_;
    const std::string graves_;
    const std::string leaders_;
};

} // namespace redlock::etcd
