#pragma once

#include "engines/etcd/messages/transaction.hpp"
#include "engines/etcd/rule/place.hpp"
#include "engines/etcd/rule/server_leases.hpp"
#include "engines/etcd/rule/try_names.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace redlock::etcd {

/// The key of one try, and where it stands in the queue for its lock.
struct stand {
    std::string key;    ///< ends with the name of the try
    std::string queue;  ///< all keys of the lock begin like this
    std::string behind; ///< the first name behind those
    std::string grave;  ///< where this exists, the key is not to be written any more
    bool reads = false; ///< waits for those alone who write
    messages::revision created = 0;
    messages::revision modified = 0; ///< as it is known
    std::string leader{}; ///< the key of what its holder proclaims; empty where he proclaims nothing
    std::string record{}; ///< that he has proclaimed last (`core/election/leader_record.hpp`)
    try_name name{};      ///< of the try
    std::vector<server_lease_pointer>
        others{}; ///< that it may be under, for nobody knows whether it has moved
};

/// What a transaction made of a stand.
struct stand_answer {
    verdict said;
    messages::revision created = 0;  ///< with `first` and `behind`
    messages::revision modified = 0; ///< likewise
    messages::revision revision = 0; ///< of the store, when it was answered
    std::string predecessor{};       ///< its key, with `behind`
};

/// What a removal, or a transaction, met with.
struct done {
    enum class kind : std::uint8_t {
        carried_out,
        key_was_gone,
        unreadable ///< nobody knows
    };
    kind what = kind::unreadable;
    messages::revision revision = 0;
};

/// Takes the lock where nobody is in the way, or else, with `waits`, a place behind whoever came last.
/// Whoever reads has only those in his way who write.
std::string acquire_request(const stand& s, const std::string& value, messages::lease_id lease, bool waits);
stand_answer read_acquired(std::string_view response);

/// Asks whether the key is there and the first of its queue, or who is in front of it. `writes`: it is
/// written then for the sake of its revision, which becomes a fencing token, unless that was done before. In
/// front of one who writes is also whoever reads behind having written, whatever revision made that key.
std::string confirm_request(const stand& s, bool writes);
stand_answer read_confirmed(std::string_view response, const stand& s, bool writes);

/// What came of writing a key that one has, which is done only where nothing wrote it since it was known.
struct rewritten {
    enum class kind : std::uint8_t {
        carried_out,
        written_since, ///< by an earlier request of one's own
        key_was_gone,
        unreadable ///< nobody knows
    };
    kind what = kind::unreadable;
    messages::revision revision = 0; ///< of that writing
    std::uint64_t shown_token = 0;   ///< with `written_since`: in the value; 0 where it shows none
};

/// The fencing token that the value of a key shows, for its revision is another; 0 where it shows none.
std::uint64_t shown_token(std::string_view value);

/// Writes the key once more for the sake of its revision.
std::string advance_request(const stand& s);
/// Likewise, with another value.
std::string advance_request(const stand& s, const std::string& value);
/// Writes the key under another lease, and with it what its holder has proclaimed.
std::string move_request(const stand& s, const std::string& value, messages::lease_id lease);
rewritten read_rewritten(std::string_view response, const stand& s);

/// Asks whether the key is there.
std::string look_request(const stand& s);
/// Nothing for a message that is none.
std::optional<bool> read_looked(std::string_view response, const stand& s);
/// A removal, whatever the store has: no other try has the same key before this was answered (`try_names`).
std::string erase_request(const stand& s);
done read_erased(std::string_view response);
/// With what its holder has proclaimed; that alone where the key is gone already.
std::string remove_request(const stand& s);
/// Removes the key of a try of which nobody knows whether it was written, and sees to it that it never is:
/// for as long as the lease lives, without which it cannot be.
std::string bury_request(const stand& s, messages::lease_id lease);
/// Has a key for reading made beside one for writing, where that one is there.
std::string downgrade_request(const stand& held, const stand& reading, const std::string& value,
                              messages::lease_id lease);
/// Has the stand's record stand beside its key, where that is there, under this lease, and nothing is
/// proclaimed that came later.
std::string proclaim_request(const stand& s, messages::lease_id lease);
enum class proclaimed : std::uint8_t {
    stands,
    key_was_gone,
    moved,     ///< the key is under another lease
    unreadable ///< nobody knows
};
proclaimed read_proclaimed(std::string_view response, const stand& s);

/// A key, and the revision that made it.
struct made_key {
    std::string key;
    messages::revision created;
};
/// Removes those of these keys that are there; at most 64 and one.
std::string take_away_request(const std::vector<made_key>& keys);
/// Likewise the key of one who holds the lock for himself, and what he has proclaimed in that term.
std::string take_away_request(const made_key& its, const std::string& leader, std::uint64_t term);
/// How many did; nothing for a message that is none.
std::optional<std::size_t> read_taken_away(std::string_view response);
done read_done(std::string_view response);

} // namespace redlock::etcd
