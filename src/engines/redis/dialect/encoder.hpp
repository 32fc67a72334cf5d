#pragma once

#include "engines/redis/dialect/scripts.hpp"
#include "engines/redis/quorum/claim.hpp"
#include "engines/redis/resp/command.hpp"
#include "engines/redis/resp/command_batch.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace redlock::redis {

/// Where commands are encoded: the batch that has their bytes until the nodes were flushed, and what stands
/// around key and token in the commands of every lock, encoded once. Not thread-safe.
class encoder {
public:
    encoder() = default;
    /// Values of keys end with the label of this client.
    explicit encoder(std::string_view label);
    encoder(const encoder&) = delete;
    encoder& operator=(const encoder&) = delete;

    /// What was encoded since it was last cleared.
    resp::command_batch& batch() noexcept { return batch_; }

    /// `SET` with NX, and with GET if it returns the holder. Kept for the life that was asked for last:
    /// nearly all locks have the same. Throws std::bad_alloc.
    const resp::command_pattern& set_pattern(std::chrono::milliseconds life, bool returns_holder);
    /// Of the script, by its hash.
    const resp::command_pattern& release_pattern() const noexcept { return release_; }
    /// The value of a key that the claim has, behind which nothing was added: with the client's label. Until
    /// this is asked for another claim. Throws std::bad_alloc.
    std::string_view value_of(const claim& c) {
        return label_.empty() ? c.value() : labelled(c.value(), ending(c.is_fenced()));
    }
    /// Likewise: what stands for it among those who read the key.
    std::string_view entry_of(const claim& c) {
        return label_.empty() ? c.token() : labelled(c.token(), ending(false));
    }
    /// What comes behind a token in a value, or behind the fencing token; empty without a label.
    std::string_view ending(bool behind_fencing_token) const noexcept {
        return behind_fencing_token && !label_.empty() ? std::string_view(label_).substr(1) : label_;
    }

    /// The fence of a lock, in the same slot of a cluster if it is tagged. Until this is asked for another
    /// key. Throws std::bad_alloc.
    std::string_view fence_key_of(std::string_view lock_key, bool tagged);
    /// Likewise: the queue of those who wait for it.
    std::string_view queue_key_of(std::string_view lock_key, bool tagged);

    /// Likewise: what its leader has proclaimed.
    std::string_view leader_key_of(std::string_view lock_key, bool tagged);
    /// Likewise: those who read it.
    std::string_view readers_key_of(std::string_view lock_key, bool tagged);

private:
    std::string_view labelled(std::string_view text, std::string_view with) {
        return labelled_.assign(text).append(with);
    }

    resp::command_batch batch_;
    std::string label_; ///< as it stands behind a token
    std::string labelled_;
    std::string fence_key_;
    std::string readers_key_;
    std::string queue_key_;
    std::string leader_key_;
    std::chrono::milliseconds life_of_set_{-1};
    resp::command_pattern set_returning_holder_{{}, {}};
    resp::command_pattern plain_set_{{}, {}};
    const resp::command_pattern release_{{"EVALSHA", hash_of(script::release), "1"}, {}};
};

} // namespace redlock::redis
