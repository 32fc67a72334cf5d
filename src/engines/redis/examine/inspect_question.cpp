// Who has a key, on which node, and for how long.

#include "core/quorum/tally.hpp"
#include "engines/redis/dialect/numbers.hpp"
#include "engines/redis/dialect/server_error.hpp"
#include "engines/redis/examine/questions.hpp"
#include "engines/redis/quorum/quorum.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace redlock::redis {

namespace {

/// Asks each node for the value and the life of a key, and waits for all of them: each answers or lets its
/// deadline pass.
class inspect_question final : public node_question, private node::reply_receiver {
public:
    inspect_question(quorum& q, std::string&& full_key, engine::answer_listener<key_report>& listener)
        : node_question(q), listener_(listener) {
        report_.key = std::move(full_key);
    }

private:
    enum kind : std::uint32_t { value, life, fence, listeners };

    void start() override {
        report_.nodes.resize(quorum_.nodes());
        for (std::uint32_t index = 0; index < quorum_.nodes(); ++index) {
            report_.nodes[index].node = quorum_.session_of(index).node().name();
            for (const kind what : {value, life, fence, listeners})
                ask(index, what);
        }
        if (outstanding_ == 0) tell();
    }

    void ask(std::uint32_t index, kind what) {
        session& asked = quorum_.session_of(index);
        const addressee to{
            .receiver = this, .tag = reply_tag::of(index, what), .deadline = quorum_.deadline()};
        encoding& bytes = quorum_.bytes();
        bytes.begin();
        const errc refusal = what == value   ? asked.get(report_.key, to, bytes)
                             : what == life  ? asked.remaining_life(report_.key, to, bytes)
                             : what == fence ? asked.fence_of(report_.key, to, bytes)
                                             : asked.count_listeners(report_.key, to, bytes);
        if (refusal == errc{})
            ++outstanding_;
        else
            report_.nodes[index].error = make_error_code(refusal);
    }

    void on_reply(reply_tag tag, const resp::reply& reply) noexcept override {
        node_key_report& told = report_.nodes[tag.node()];
        // A user who takes locks need not have the right to read fences, or to count listeners.
        if (tag.kind() == listeners)
            told.listeners = count_in(reply);
        else if (tag.kind() == fence && says_no_permission(reply))
            told.fence.reset();
        else if (reply.is(resp::kind::error))
            told.error = make_error_code(meaning_of_server_error(reply.text()));
        else if (tag.kind() == value && reply.is(resp::kind::text))
            told.value = std::string(reply.text());
        else if (tag.kind() == life && reply.integer() >= 0)
            told.remaining = life_in(reply);
        else if (tag.kind() == fence)
            told.fence = fence_in(reply);
        one_less();
    }

    void on_failure(reply_tag tag, errc why) noexcept override {
        report_.nodes[tag.node()].error = make_error_code(why);
        one_less();
    }

    void one_less() {
        if (--outstanding_ > 0) return;
        if (is_let_go()) return end_if_done();
        tell();
    }

    void tell() {
        find_holder();
        count_waiting();
        listener_.told({}, std::move(report_));
    }

    static bool says_no_permission(const resp::reply& reply) {
        return reply.is(resp::kind::error) &&
               meaning_of_server_error(reply.text()) == errc::permission_denied;
    }

    void count_waiting() {
        for (const node_key_report& told : report_.nodes)
            report_.waiting = std::max(report_.waiting, told.listeners);
    }

    void find_holder() {
        std::map<std::string_view, unsigned> votes;
        for (const node_key_report& told : report_.nodes)
            if (told.value && ++votes[*told.value] == core::majority(quorum_.nodes()))
                report_.holder = *told.value;
    }

    bool is_settled() const noexcept override { return outstanding_ == 0; }

    engine::answer_listener<key_report>& listener_;
    key_report report_;
    unsigned outstanding_ = 0;
};

} // namespace

engine::question_pointer make_inspection(quorum& q, std::string full_key,
                                         engine::answer_listener<key_report>& listener) {
    return engine::question_pointer(new inspect_question(q, std::move(full_key), listener));
}

} // namespace redlock::redis
