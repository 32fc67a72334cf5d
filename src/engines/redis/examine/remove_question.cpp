// Takes a key away from whoever was shown to have it.

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
        const addressee back{
            .receiver = this, .tag = reply_tag::of(index), .deadline = quorum_.deadline(), .cleanup = true};
        remove_command command(quorum_.encoder(), shown_.key, *value_for(index));
        const errc refusal = quorum_.session_of(index).send(command, back);
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
        using kind = release_answer::kind;
        const std::uint32_t index = tag.node();
        const release_answer said = quorum_.session_of(index).answer_to_release(tag, reply);
        if (said.what == kind::unknown_form && !is_let_go())
            send(index);
        else if (said.what >= kind::unknown_form)
            fail(index, said.error().meaning);
        else
            report_.nodes[index].outcome = said.what == kind::deleted ? removal::removed : removal::changed;
        one_less();
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
