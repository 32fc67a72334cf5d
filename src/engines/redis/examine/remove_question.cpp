// Takes a key away from whoever was shown to have it.

#include "engines/redis/examine/questions.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "turn/outcome.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace redlock::redis {

namespace {

/// Deletes a key on each node if it still has the value that was shown, and waits for all of them: each
/// answers or lets its deadline pass.
class remove_question final : public node_question, private node::reply_receiver {
public:
    remove_question(quorum& q, key_report&& shown, engine::answer_listener<break_report>& listener)
        : node_question(q), shown_(std::move(shown)), listener_(listener) {}

private:
    enum part : std::uint32_t { of_key, of_readers };

    void start() override {
        if (!is_of_these_nodes()) return listener_.told(make_error_code(errc::invalid_option), {});
        report_.key = shown_.key;
        report_.nodes.resize(quorum_.nodes());
        for (std::uint32_t index = 0; index < quorum_.nodes(); ++index) {
            report_.nodes[index].node = quorum_.session_of(index).node().name();
            if (value_for(index)) send(index);
            if (!readers_for(index).empty()) send_readers(index);
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

    /// Likewise of those who read.
    std::vector<std::string_view> readers_for(std::uint32_t index) const {
        const node_key_report& told = shown_.nodes[index];
        std::vector<std::string_view> all;
        if (told.error) all.assign(shown_.readers.begin(), shown_.readers.end());
        if (!told.error && told.readers)
            for (const reader_report& one : *told.readers)
                all.push_back(one.value);
        return all;
    }

    void send_readers(std::uint32_t index) {
        const addressee back{.receiver = this,
                             .tag = reply_tag::of(index, of_readers),
                             .deadline = quorum_.deadline(),
                             .cleanup = true};
        const std::vector<std::string_view> all = readers_for(index);
        sent(index, quorum_.session_of(index).send(remove_readers_command(quorum_.encoder(), shown_.key, all),
                                                   back));
    }

    void send(std::uint32_t index) {
        const addressee back{.receiver = this,
                             .tag = reply_tag::of(index, of_key),
                             .deadline = quorum_.deadline(),
                             .cleanup = true};
        if (shown_.leader) withdraw(index);
        remove_command command(quorum_.encoder(), shown_.key, *value_for(index));
        sent(index, quorum_.session_of(index).send(command, back));
    }

    void sent(std::uint32_t index, errc refusal) noexcept {
        if (refusal == errc{})
            ++outstanding_;
        else
            fail(index, refusal);
    }

    /// With the key goes what its holder has proclaimed.
    void withdraw(std::uint32_t index) {
        withdraw_command command(quorum_.encoder(), shown_.key, shown_.leader->mark.term);
        quorum_.session_of(index).send(
            command, {.receiver = nullptr, .tag = {}, .deadline = quorum_.deadline(), .cleanup = true});
    }

    void fail(std::uint32_t index, errc why) noexcept {
        report_.nodes[index].outcome = removal::failed;
        report_.nodes[index].error = make_error_code(why);
    }

    void on_reply(reply_tag tag, const resp::reply& reply) noexcept override {
        if (tag.kind<part>() == of_readers)
            take_readers(tag.node(), reply);
        else
            take_value(tag, reply);
        one_less();
    }

    void take_value(reply_tag tag, const resp::reply& reply) {
        using kind = release_answer::kind;
        const std::uint32_t index = tag.node();
        const release_answer said = quorum_.session_of(index).answer_to_release(tag, reply);
        if (said.what == kind::unknown_form && !is_let_go())
            send(index);
        else if (said.what >= kind::unknown_form)
            fail(index, said.error().meaning);
        else
            came_to(index, said.what == kind::deleted);
    }

    void take_readers(std::uint32_t index, const resp::reply& reply) noexcept {
        if (reply.is(resp::kind::error)) return fail(index, read_error(reply).meaning);
        const auto most = static_cast<std::int64_t>(readers_answer::most);
        const auto gone = static_cast<unsigned>(std::clamp<std::int64_t>(reply.integer(), 0, most));
        report_.nodes[index].readers_removed = gone;
        came_to(index, gone > 0);
    }

    /// Of the two that it may take, what failed counts most, then what is gone.
    void came_to(std::uint32_t index, bool is_gone) noexcept {
        removal& outcome = report_.nodes[index].outcome;
        if (outcome == removal::failed || outcome == removal::removed) return;
        outcome = is_gone ? removal::removed : removal::changed;
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
