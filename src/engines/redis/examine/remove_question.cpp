// Takes a key away from whoever was shown to have it.

#include "engines/redis/dialect/server_error.hpp"
#include "engines/redis/examine/questions.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "turn/outcome.hpp"

#include <utility>

namespace redlock::redis {

namespace {

/// Deletes a key on each node if it still has the value that was shown, and waits for all of them: each
/// answers or lets its deadline pass.
class remove_question final : public node_question, private node::reply_receiver {
public:
    remove_question(quorum& q, key_report&& shown, engine::answer_listener<break_report>& listener)
        : node_question(q), shown_(std::move(shown)), listener_(listener) {}

private:
    enum kind : std::uint32_t { native, by_script };

    void start() override {
        if (!is_of_these_nodes()) return listener_.told(make_error_code(errc::invalid_option), {});
        report_.key = shown_.key;
        report_.nodes.resize(quorum_.nodes());
        for (std::uint32_t index = 0; index < quorum_.nodes(); ++index) {
            report_.nodes[index].node = quorum_.session_of(index).node().name();
            if (value_for(index)) send(index);
        }
        if (outstanding_ == 0) tell();
    }

    /// Whether the report was made by a client with these nodes.
    bool is_of_these_nodes() const noexcept {
        if (shown_.nodes.size() != quorum_.nodes()) return false;
        for (std::uint32_t index = 0; index < quorum_.nodes(); ++index)
            if (shown_.nodes[index].node != quorum_.session_of(index).node().name()) return false;
        return true;
    }

    /// What was shown of the node itself or, where it did not answer, of a majority; null when it was
    /// nothing.
    const std::string* value_for(std::uint32_t index) const noexcept {
        const node_key_report& told = shown_.nodes[index];
        const std::optional<std::string>& value = told.error ? shown_.holder : told.value;
        return value ? &*value : nullptr;
    }

    void send(std::uint32_t index) {
        session& to = quorum_.session_of(index);
        const kind way = to.deletes_natively() ? native : by_script;
        const addressee back{.receiver = this,
                             .tag = reply_tag::of(index, way),
                             .deadline = quorum_.deadline(),
                             .cleanup = true};
        encoding& bytes = quorum_.bytes();
        bytes.begin();
        const errc refusal = to.delete_if(shown_.key, *value_for(index), back, bytes);
        if (refusal == errc{})
            ++outstanding_;
        else
            fail(index, refusal);
    }

    void fail(std::uint32_t index, errc why) noexcept {
        report_.nodes[index].outcome = removal::failed;
        report_.nodes[index].error = make_error_code(why);
    }

    void on_reply(reply_tag tag, const resp::reply& reply) noexcept override {
        const std::uint32_t index = tag.node();
        session& from = quorum_.session_of(index);
        if (!reply.is(resp::kind::error)) {
            if (tag.kind() == by_script) from.script_ran(script::release);
            report_.nodes[index].outcome = reply.integer() == 1 ? removal::removed : removal::changed;
        } else if (!try_another_way(from, tag.kind(), reply.text())) {
            fail(index, meaning_of_server_error(reply.text()));
        } else if (is_let_go()) {
            fail(index, errc::server_error);
        } else {
            send(index);
        }
        one_less();
    }

    /// Takes note of what the server does not know. False when the error says something else.
    static bool try_another_way(session& from, std::uint32_t way, std::string_view words) noexcept {
        if (meaning_of_server_error(words) != errc::server_error) return false;
        if (way == native)
            from.release_by_script();
        else if (says_no_script(words))
            from.script_unknown(script::release);
        else
            return false;
        return true;
    }

    void on_failure(reply_tag tag, errc why) noexcept override {
        fail(tag.node(), why);
        one_less();
    }

    void one_less() {
        if (--outstanding_ > 0) return;
        if (is_let_go()) return end_if_done();
        tell();
    }

    void tell() {
        for (const node_break_report& told : report_.nodes)
            report_.removed += told.outcome == removal::removed;
        listener_.told({}, std::move(report_));
    }

    bool is_settled() const noexcept override { return outstanding_ == 0; }

    const key_report shown_;
    engine::answer_listener<break_report>& listener_;
    break_report report_;
    unsigned outstanding_ = 0;
};

} // namespace

engine::question_pointer make_removal(quorum& q, key_report shown,
                                      engine::answer_listener<break_report>& listener) {
    return engine::question_pointer(new remove_question(q, std::move(shown), listener));
}

} // namespace redlock::redis
