#pragma once

#include "engines/redis/dialect/encoding.hpp"
#include "engines/redis/dialect/scripts.hpp"
#include "engines/redis/node/broadcast.hpp"
#include "engines/redis/node/fast_path.hpp"
#include "engines/redis/node/node.hpp"
#include "engines/redis/quorum/claim.hpp"

#include <redlock/config.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace redlock::redis {

using node::reply_tag;

/// Where and when a request of a round goes back to.
struct addressee {
    node::reply_receiver* receiver;
    reply_tag tag;
    time::instant deadline;
    bool cleanup = false;
};

/// A fencing token, and how long a fence outlives its last use.
struct fence_mark {
    std::uint64_t token;
    std::chrono::milliseconds retention;
};

/// What a server answered with an error, and when.
struct refusal {
    errc why;
    time::instant at;
    std::string words; ///< as they came, but cut to a length
};

/// A node together with what is known of the server behind its connection: which scripts it has, which
/// commands it understands. Puts the commands of the lock into the form that the server knows.
class session {
public:
    /// `ear` is a second connection to the same server, for subscriptions that the first cannot carry.
    session(node::node& n, node::node& ear) noexcept : node_(&n), ear_(&ear) {}

    node::node& node() const noexcept { return *node_; }
    node::node& ear() const noexcept { return listens_apart() ? *ear_ : *node_; }
    bool listens_apart() const noexcept { return node_->server().protocol == 2; }
    /// Whether its server takes the commands of locks in the same forms as that of the other.
    bool speaks_as(const session& other) const noexcept {
        return scripts_ == other.scripts_ && set_returns_holder_ == other.set_returns_holder_ &&
               native_release_ == other.native_release_;
    }
    /// Whether something was submitted since the last flush.
    bool has_unwritten() const noexcept { return unwritten_; }
    void flush() noexcept {
        if (!std::exchange(unwritten_, false)) return;
        node_->flush();
        ear_->flush();
    }
    /// Something was submitted past this object.
    void set_unwritten() noexcept { unwritten_ = true; }
    /// The same for all clients of the server, whatever address they have it under, where it says who it is.
    std::string_view identity() const noexcept {
        return node_->server().run_id.empty() ? node_->name() : std::string_view(node_->server().run_id);
    }
    bool is_ready() const noexcept { return node_->state() == node::health::ready; }
    /// Ready, or would be if it were not late.
    bool is_connected() const noexcept { return is_ready() || node_->state() == node::health::suspect; }

    /// A new connection: the server may be another one.
    void reconnected() noexcept;

    /// `SET key token NX GET PX life`: null when the key is ours now, else the value it had. Servers before
    /// Redis 7 do not take NX with GET; for them, after `set_cannot_return_holder`, `SET key token NX PX
    /// life`: OK or null.
    errc set(const claim& c, std::chrono::milliseconds life, const addressee& to, encoding& bytes) {
        if (bytes.lacks(form_of_set())) encode_set(c, life, bytes);
        return submit(bytes, to);
    }
    /// To all nodes whose servers take commands in the forms of this one: gives those that accepted it, and
    /// leaves the others to `set`.
    core::node_set set_on_all(const claim& c, std::chrono::milliseconds life, const addressee& to,
                              encoding& bytes, node::broadcast& all) {
        if (bytes.lacks(form_of_set())) encode_set(c, life, bytes);
        return all.submit(bytes.bytes_, to.receiver, to.tag, to.deadline);
    }
    bool set_returns_holder() const noexcept { return set_returns_holder_; }
    void set_cannot_return_holder() noexcept { set_returns_holder_ = false; }

    /// Deletes the key if it is ours. Answers 1 or 0.
    errc release(const claim& c, const addressee& to, encoding& bytes) {
        if (bytes.lacks(form_of_release(c.retold))) encode_release(c, bytes);
        return submit(bytes, to);
    }
    core::node_set release_on_all(const claim& c, const addressee& to, encoding& bytes,
                                  node::broadcast& all) {
        if (bytes.lacks(form_of_release(c.retold))) encode_release(c, bytes);
        return all.submit(bytes.bytes_, to.receiver, to.tag, to.deadline);
    }
    bool releases_natively(const claim& c) const noexcept { return deletes_natively() && !c.retold; }
    /// Deletes the key if it has this value: `DELEX key IFEQ value` (Redis 8.4), `DELIFEQ key value`
    /// (Valkey 9), else the script. Answers 1 or 0.
    errc delete_if(std::string_view key, std::string_view value, const addressee& to, encoding& bytes);
    bool deletes_natively() const noexcept { return native_release_ != native_release::none; }
    /// The server did not take the native command after all: the script from now on.
    void release_by_script() noexcept { native_release_ = native_release::none; }
    /// Extends the key if it is ours, puts it back if it is missing; with fencing, raises the fence.
    errc extend(const claim& c, std::chrono::milliseconds life, const fence_mark& fence, const addressee& to,
                encoding& bytes);
    /// `ZADD fence GT CH`: 1 when it raised the fence of the key to the claim's proposal, 0 when that was as
    /// high before. Servers before Redis 6.2 do not know GT. `PEXPIRE` follows where needed; nobody wants its
    /// reply.
    errc raise_fence(const claim& c, const addressee& to, encoding& bytes);
    /// False since the server said that it cannot, or must not for this user.
    bool raises_fences() const noexcept { return raises_fences_; }
    void set_cannot_raise_fence() noexcept { raises_fences_ = false; }
    errc expire_fence(const claim& c, std::chrono::milliseconds retention, const addressee& to,
                      encoding& bytes);
    /// Raises the fence by at least one, and to the mark, if the key is ours: the fence, or 0.
    errc advance_fence(const claim& c, const fence_mark& fence, const addressee& to, encoding& bytes);
    /// `GET key` and `PTTL key`, each with a reply of its own.
    errc get(std::string_view key, const addressee& to, encoding& bytes);
    errc remaining_life(std::string_view key, const addressee& to, encoding& bytes);
    /// `ZSCORE`: the fence of the key, or null.
    errc fence_of(std::string_view key, const addressee& to, encoding& bytes);

    /// `SUBSCRIBE` and `UNSUBSCRIBE` for what happens to the key. One reply each: the push that confirms it.
    errc subscribe(std::string_view key, const addressee& to, encoding& bytes);
    errc unsubscribe(std::string_view key, const addressee& to, encoding& bytes);
    /// `PUBSUB NUMSUB` for the same channel: its name and the number of its subscribers.
    errc count_listeners(std::string_view key, const addressee& to, encoding& bytes);
    /// `CLIENT CACHING YES`: what the next command reads is told when it changes. Not without `CLIENT
    /// TRACKING`.
    errc track_next(const addressee& to, encoding& bytes);
    /// Any other command.
    errc command(std::initializer_list<std::string_view> words, const addressee& to, encoding& bytes);

    /// How the server tells that a key became free; `automatic` as long as that is not known.
    redlock::wakeup wakeup() const noexcept { return wakeup_; }
    bool tells() const noexcept {
        return wakeup_ == wakeup::keyspace_events || wakeup_ == wakeup::client_tracking;
    }
    void set_wakeup(redlock::wakeup found) noexcept { wakeup_ = found; }

    /// The server took the script (it knows it from now on), or said that it does not know its hash.
    void script_ran(script s) noexcept { scripts_ |= bit(s); }
    void script_unknown(script s) noexcept { scripts_ &= ~bit(s); }

    /// The server answered with an error: what it means. Kept for those who ask why the node was of no help.
    errc refused(std::string_view error, time::instant now) noexcept;
    /// The latest; null before the first.
    const refusal* last_refusal() const noexcept { return last_refusal_.get(); }

private:
    static unsigned bit(script s) noexcept { return 1u << static_cast<unsigned>(s); }
    bool has(script s) const noexcept { return (scripts_ & bit(s)) != 0; }
    command_form form_of(script s, command_form unknown) const noexcept { return unknown + has(s); }
    command_form form_of_set() const noexcept {
        return set_returns_holder_ ? command_form::set_returning_holder : command_form::plain_set;
    }
    command_form form_of_delete() const noexcept {
        if (native_release_ == native_release::none)
            return form_of(script::release, command_form::release_key);
        return native_release_ == native_release::delex ? command_form::release_by_delex
                                                        : command_form::release_by_delifeq;
    }
    command_form form_of_release(bool retold) const noexcept {
        return retold ? form_of(script::release_retold, command_form::release_retold) : form_of_delete();
    }
    void encode_set(const claim& c, std::chrono::milliseconds life, encoding& bytes) const;
    void encode_release(const claim& c, encoding& bytes) const;
    void encode_delete(std::string_view key, std::string_view value, encoding& bytes) const;
    void encode_script(script s, std::initializer_list<std::string_view> keys_and_arguments,
                       encoding& bytes) const;
    errc run(script s, command_form unknown, std::initializer_list<std::string_view> keys_and_arguments,
             const addressee& to, encoding& bytes);
    errc submit(const encoding& bytes, const addressee& to) noexcept {
        node::fast_path* const fast = node_->fast();
        if (!fast || !fast->submit(bytes.bytes_, to.receiver, to.tag, to.deadline)) [[unlikely]]
            return submit_slowly(bytes, to);
        unwritten_ = true;
        return {};
    }
    errc submit_slowly(const encoding& bytes, const addressee& to) noexcept;
    errc submit_subscription(const encoding& bytes, const addressee& to) noexcept;
    errc submitted(errc refusal) noexcept {
        unwritten_ |= refusal == errc{};
        return refusal;
    }

    node::node* node_;
    node::node* ear_;
    unsigned scripts_ = 0; ///< one bit for each script the server is known to have
    bool unwritten_ = false;
    bool set_returns_holder_ = true;
    bool raises_fences_ = true;
    redlock::wakeup wakeup_ = redlock::wakeup::automatic;

    /// A command of the server's own that compares and deletes.
    enum class native_release : std::uint8_t { none, delex, delifeq };
    native_release native_release_ = native_release::none;
    std::unique_ptr<refusal> last_refusal_;
};

} // namespace redlock::redis
