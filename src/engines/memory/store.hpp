#pragma once

#include "engines/memory/clock.hpp"

#include <redlock/error.hpp>
#include <redlock/leader_info.hpp>
#include <redlock/lock_options.hpp>

#include <boost/intrusive/list.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace redlock::memory {

class seeker;
struct seeker_tag;

/// Who hears, on another thread than its own perhaps, that something has come for it. Called with the store
/// locked: it must do no more than have itself called later.
class mailbox {
public:
    virtual void something_came() noexcept = 0;

    std::string label;            ///< of the client; does not change while it is joined
    bool called = false;          ///< and has not emptied it since; with the store locked
    std::vector<seeker*> granted; ///< likewise, as the next
    std::vector<std::uint64_t> lost_claims;
    bool looks_again = false; ///< for a key that its callers wait for runs out earlier than was said
    std::size_t observes = 0; ///< so many want to know who leads
    bool leaders_changed = false;

protected:
    ~mailbox() = default;
};

using seekers_hook = boost::intrusive::list_base_hook<boost::intrusive::tag<seeker_tag>>;

/// Somebody who wants a key. Its fields belong to the store while it waits there.
class seeker : public seekers_hook {
public:
    seeker(mailbox& hears, std::uint64_t number, std::string_view full_key,
           std::chrono::milliseconds for_life, bool with_token,
           redlock::mode wanted = redlock::mode::exclusive) noexcept
        : told(hears), claim(number), key(full_key), life(for_life), fencing(with_token), mode(wanted) {}

    /// It is the holder now.
    virtual void key_came() noexcept = 0;

    mailbox& told;
    std::uint64_t claim;
    std::string_view key; ///< of the claim
    const std::chrono::milliseconds life;
    const bool fencing;
    const redlock::mode mode;
    bool in_queue = false; ///< after `seek`, whatever became of it since
    bool has_it = false;
    time::instant since{};
    std::uint64_t fencing_token = 0;

protected:
    ~seeker() = default;
};

using seekers = boost::intrusive::list<seeker, boost::intrusive::base_hook<seekers_hook>>;

/// What tells one lease from all others.
struct tenure {
    std::uint64_t claim;
    std::uint64_t fencing_token; ///< which is new when the claim is handed on
};

/// One of those who read a key.
struct reading {
    std::uint64_t claim;
    time::instant expires;
    std::string label; ///< of its client
};

/// What is known of a key.
struct key_state {
    std::optional<std::uint64_t> holder;
    time::instant expires{};
    std::uint64_t fencing_token = 0;
    std::size_t waiting = 0;
    std::vector<reading> readers{};
    std::optional<leader_info> leader; ///< and what he proclaims
    std::string label{};               ///< of his client
};

/// What came for a client, besides keys.
struct news {
    bool runs_out_earlier = false; ///< a key that its callers wait for, than `until` said
    bool leaders_changed = false;
};

/// Keys that clients of one process share: who has them until when, and who waits for them, first come, first
/// served. A key that is given back, or runs out, goes straight to the first who waits. Thread-safe.
class store {
public:
    explicit store(std::string name) : name_(std::move(name)) {}
    store(const store&) = delete;
    store& operator=(const store&) = delete;

    /// The one of this name, which lives for as long as somebody refers to it.
    static std::shared_ptr<store> named(std::string_view name);

    const std::string& name() const noexcept { return name_; }
    memory::clock& clock() noexcept { return clock_; }

    // Of clients.
    void join(mailbox& box);
    void leave(mailbox& box) noexcept;
    /// What came for it since the last time.
    news empty(mailbox& box, std::vector<seeker*>& granted, std::vector<std::uint64_t>& lost) noexcept;
    /// One more, or one less, of its callers wants to hear of changes of leaders.
    void observe(mailbox& box, bool begins) noexcept;
    std::uint64_t draw_claim() noexcept;

    /// 0: it has the key. `held`: somebody else does, and it waits, if it `queues`. Else why the request
    /// failed.
    errc seek(seeker& s, bool queues);
    /// It does not want the key any more, or does not wait for it: true when it has it by now.
    bool give_up(seeker& s) noexcept;
    /// When the key that it waits for runs out, if nothing prolongs it. Gives a key that has run out to the
    /// first who waits.
    time::instant until(std::string_view key);
    /// 0: the key is this claim's for that life from now on, and stands for this leader unless that is null.
    /// `lease_lost`: it was not. Else why the request failed.
    errc extend(std::string_view key, std::uint64_t claim, std::chrono::milliseconds life,
                const leader_info* leads = nullptr);
    /// 0: this is told of the key, which is the claim's. Else as `extend`.
    errc proclaim(std::string_view key, std::uint64_t claim, const leader_info& leads);
    /// 0 and a new token, or as `extend`.
    errc advance_token(std::string_view key, std::uint64_t claim, std::uint64_t& token);
    errc release(std::string_view key, std::uint64_t claim);
    /// Another claim of whoever holds it reads from now on, too. Once the holder releases his own, whoever
    /// waits to read comes in. 0, or as `extend`.
    errc join_as_reader(std::string_view key, std::uint64_t holder, std::uint64_t claim,
                        std::chrono::milliseconds life);
    /// 0, or why the request failed.
    errc look(std::string_view key, key_state& found);
    /// The keys that begin like this and that somebody has, at most so many. 0, or why the request failed.
    errc list(std::string_view beginning, std::size_t most, std::vector<std::string>& found);

    // Of tests, see `testing::memory_handle`.
    void hold(std::string_view key, std::chrono::milliseconds life);
    /// From whoever has it, or from that lease alone. False when there is none.
    bool take_away(std::string_view key, std::optional<tenure> from = std::nullopt);
    /// One of those who read it. False when it does not.
    bool take_reader_away(std::string_view key, std::uint64_t claim);
    void fail_next(std::size_t requests, errc why);
    /// As `look`, and never fails.
    key_state peek(std::string_view key);
    void let_time_pass(std::chrono::milliseconds time);

private:
    /// One of those who read.
    struct reader {
        std::uint64_t claim;
        mailbox* box; ///< null once its client is gone
        time::instant expires;
        std::uint64_t wrote = 0; ///< a claim that it had the key by before, for writing
    };
    struct entry {
        std::optional<std::uint64_t> holder;
        mailbox* holders_box = nullptr; ///< null for a holder of the test's
        time::instant expires{};
        std::uint64_t fencing_token = 0;
        std::optional<leader_info> leader;
        seekers waiting;
        std::vector<reader> readers;
    };
    using entries = std::unordered_map<std::string, entry>;

    static void notify(mailbox& box) noexcept;
    errc request_fails() noexcept;
    key_state state_of(std::string_view key);
    entry* find(std::string_view key);
    reader* find_reader(std::string_view key, std::uint64_t claim);
    static bool has_room(const entry& e, redlock::mode wanted) noexcept;
    static time::instant next_end(const entry& e) noexcept;
    void drop_readers(entry& e) noexcept;
    static bool was_downgraded(const entry& e, std::uint64_t claim) noexcept;
    void let_readers_in(entry& e);
    void forget_if_free(std::string_view key);
    void give(entry& e, seeker& to);
    void pass_on(entry& e);
    void serve(entry& e);
    void free(entry& e) noexcept;
    void tell_observers() noexcept;
    void set_leader(entry& e, const leader_info& leads);
    void drop_leader(entry& e) noexcept;
    static void set_expiry(entry& e, time::instant at) noexcept;

    const std::string name_;
    memory::clock clock_;
    std::mutex mutex_;
    entries entries_;
    std::vector<mailbox*> boxes_;
    std::uint64_t claims_ = 0;
    std::uint64_t tokens_ = 0; ///< of all keys: each token is higher than those before
    std::size_t failing_ = 0;
    errc failure_{};
};

} // namespace redlock::memory
