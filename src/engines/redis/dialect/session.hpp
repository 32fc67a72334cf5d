#pragma once

#include "engines/redis/dialect/answers.hpp"
#include "engines/redis/dialect/commands.hpp"
#include "engines/redis/dialect/queue_commands.hpp"
#include "engines/redis/dialect/server_dialect.hpp"
#include "engines/redis/node/broadcast.hpp"
#include "engines/redis/node/fast_path.hpp"
#include "engines/redis/node/node.hpp"

#include <redlock/config.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace redlock::redis {

using node::reply_tag;

/// Where and when a request of a round goes back to. The form of the command is added to the tag.
struct addressee {
    node::reply_receiver* receiver;
    reply_tag tag;
    time::instant deadline;
    bool cleanup = false;
    std::uint16_t server = 0; ///< of a cluster
};

/// What a server answered with an error, and when.
struct refusal {
    errc why;
    time::instant at;
    std::string words; ///< as they came, but cut to a length
};

/// A node together with what is known of the server behind its connection. Sends commands in the form that
/// the server takes, and says what its answers mean.
class session {
public:
    /// `ear` is a second connection to the same server, for subscriptions that the first cannot carry.
    session(node::node& n, node::node& ear) noexcept : node_(&n), ear_(&ear) {}

    node::node& node() const noexcept { return *node_; }
    node::node& ear() const noexcept { return listens_apart() ? *ear_ : *node_; }
    bool listens_apart() const noexcept { return node_->server().protocol == 2; }
    /// Whether its server takes the commands of locks in the same forms as that of the other.
    bool speaks_as(const session& other) const noexcept { return dialect_.is_like(other.dialect_); }
    /// Whether several releases had better go to it as one command.
    bool joins_releases() const noexcept { return dialect_.joins_releases(); }
    void cannot_join_releases() noexcept { dialect_.cannot_join_releases(); }
    /// Likewise several who want to read.
    bool joins_reads() const noexcept { return dialect_.joins_reads(); }
    void cannot_join_reads() noexcept { dialect_.cannot_join_reads(); }
    /// Likewise several renewals.
    bool joins_renewals() const noexcept { return dialect_.joins_renewals(); }
    void cannot_join_renewals() noexcept { dialect_.cannot_join_renewals(); }
    /// Likewise several new fencing tokens.
    bool joins_advances() const noexcept { return dialect_.joins_advances(); }
    void cannot_join_advances() noexcept { dialect_.cannot_join_advances(); }
    /// Whether what stands beside a key has another name there than elsewhere.
    bool tags_keys() const noexcept { return dialect_.tags_keys(); }
    /// False since the server said that it cannot, or must not for this user.
    bool raises_fences() const noexcept { return dialect_.raises_fences(); }
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

    /// As `node::submit`, one of commands.hpp; a subscription goes to the ear.
    template <class Command>
    errc send(Command&& command, const addressee& to) {
        const command_form form = command.put_for(dialect_);
        if constexpr (requires { requires std::remove_cvref_t<Command>::is_subscription; })
            return submit_subscription(command.bytes(), to);
        else
            return submit(command.bytes(), to.tag.in_form(form), to);
    }
    /// To all nodes whose servers take commands in the forms of this one: gives those that accepted it, and
    /// leaves the others to `send`.
    template <class Command>
    core::node_set send_to_all(Command& command, const addressee& to, node::broadcast& all) {
        const command_form form = command.put_for(dialect_);
        return all.submit(command.bytes(), to.receiver, to.tag.in_form(form), to.deadline);
    }

    // What the reply to a command that this has sent says. Where that is `unknown_form` it is known from then
    // on, and the command goes in another form when it is sent again.
    set_answer answer_to_set(reply_tag tag, const resp::reply& reply) noexcept {
        const set_answer said = read_set(form_of(tag), reply);
        if (said.what == set_answer::kind::unknown_form) [[unlikely]]
            dialect_.lacks(form_of(tag));
        else if (is_script(form_of(tag)) && said.what != set_answer::kind::error) [[unlikely]]
            dialect_.takes(form_of(tag)); // of one who is to read
        return said;
    }
    release_answer answer_to_release(reply_tag tag, const resp::reply& reply) noexcept {
        return noted(form_of(tag), read_release(form_of(tag), reply));
    }
    joint_release_answer answer_to_joint_release(reply_tag tag, const resp::reply& reply,
                                                 unsigned keys) noexcept {
        return noted(form_of(tag), read_joint_release(form_of(tag), reply, keys));
    }
    joint_read_answer answer_to_joint_read(reply_tag tag, const resp::reply& reply, unsigned keys) noexcept {
        return noted(form_of(tag), read_joint_read(form_of(tag), reply, keys));
    }
    joint_extend_answer answer_to_joint_extend(reply_tag tag, const resp::reply& reply,
                                               unsigned keys) noexcept {
        return noted(form_of(tag), read_joint_extend(form_of(tag), reply, keys));
    }
    joint_advance_answer answer_to_joint_advance(reply_tag tag, const resp::reply& reply,
                                                 unsigned keys) noexcept {
        return noted(form_of(tag), read_joint_advance(form_of(tag), reply, keys));
    }
    extend_answer answer_to_extend(reply_tag tag, const resp::reply& reply) noexcept {
        return noted(form_of(tag), read_extend(form_of(tag), reply));
    }
    clear_answer answer_to_clear(reply_tag tag, const resp::reply& reply) noexcept {
        const clear_answer said = read_clear(form_of(tag), reply);
        if (said == clear_answer::unknown_form)
            dialect_.lacks(form_of(tag));
        else if (said != clear_answer::error)
            dialect_.takes(form_of(tag));
        return said;
    }
    readers_answer answer_to_readers(reply_tag tag, const resp::reply& reply) {
        readers_answer said = read_readers(form_of(tag), reply);
        if (said.unknown_form) dialect_.lacks(form_of(tag));
        if (said.is_told) dialect_.takes(form_of(tag));
        return said;
    }
    proclaim_answer answer_to_proclaim(reply_tag tag, const resp::reply& reply) noexcept {
        const proclaim_answer said = read_proclaim(form_of(tag), reply);
        if (said == proclaim_answer::unknown_form)
            dialect_.lacks(form_of(tag));
        else if (said != proclaim_answer::error)
            dialect_.takes(form_of(tag));
        return said;
    }
    advance_answer answer_to_advance(reply_tag tag, const resp::reply& reply) noexcept {
        return noted(form_of(tag), read_advance(form_of(tag), reply));
    }
    queue_answer answer_to_queue(reply_tag tag, const resp::reply& reply) noexcept {
        return noted(form_of(tag), read_queue(form_of(tag), reply));
    }
    raise_answer answer_to_raise(reply_tag tag, const resp::reply& reply) noexcept {
        const raise_answer said = read_raise(reply);
        if (said == raise_answer::cannot) dialect_.lacks(form_of(tag));
        return said;
    }

    /// Whether this client hears there of its tokens.
    enum class hearing : std::uint8_t {
        no,     ///< it never asked for that
        asked,  ///< and has no answer yet
        yes,    ///< it does
        deaf,   ///< it cannot, or nobody can tell it
        refused ///< the server keeps no queues, or must not for this user
    };
    hearing hears() const noexcept { return hears_; }
    void set_hearing(hearing h) noexcept { hears_ = h; }
    /// Whether it may enter a queue there: what it is told of that, it will hear.
    bool will_hear() const noexcept {
        return hears_ == hearing::yes || (hears_ == hearing::asked && !listens_apart());
    }

    /// How the server tells that a key became free; `automatic` as long as that is not known.
    redlock::wakeup wakeup() const noexcept { return wakeup_; }
    bool tells() const noexcept {
        return wakeup_ == wakeup::keyspace_events || wakeup_ == wakeup::client_tracking;
    }
    void set_wakeup(redlock::wakeup found) noexcept { wakeup_ = found; }

    /// The server answered with an error, which is the end of it. Kept for those who ask why the node was of
    /// no help.
    void refused(const server_error& error, time::instant now) noexcept;
    /// The latest; null before the first.
    const refusal* last_refusal() const noexcept { return last_refusal_.get(); }

private:
    static command_form form_of(reply_tag tag) noexcept { return tag.form<command_form>(); }
    template <class Answer>
    Answer noted(command_form form, Answer said) noexcept {
        if (said.what < Answer::kind::unknown_form) [[likely]]
            dialect_.takes(form);
        else if (said.what == Answer::kind::unknown_form)
            dialect_.lacks(form);
        return said;
    }
    errc submit(std::string_view bytes, reply_tag tag, const addressee& to) noexcept {
        node::fast_path* const fast = node_->fast();
        if (!fast || !fast->submit(bytes, to.receiver, tag, to.deadline)) [[unlikely]]
            return submit_slowly(bytes, tag, to);
        unwritten_ = true;
        return {};
    }
    errc submit_slowly(std::string_view bytes, reply_tag tag, const addressee& to) noexcept;
    errc submit_subscription(std::string_view bytes, const addressee& to) noexcept;
    errc submitted(errc refusal) noexcept {
        unwritten_ |= refusal == errc{};
        return refusal;
    }

    node::node* node_;
    node::node* ear_;
    server_dialect dialect_;
    bool unwritten_ = false;
    redlock::wakeup wakeup_ = redlock::wakeup::automatic;
    hearing hears_ = hearing::no;
    std::unique_ptr<refusal> last_refusal_;
};

} // namespace redlock::redis
