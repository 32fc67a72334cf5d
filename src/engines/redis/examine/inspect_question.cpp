// Who has a key, on which node, and for how long.

#include "core/quorum/tally.hpp"
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
        const errc refusal = send(asked, what, to);
        if (refusal == errc{})
            ++outstanding_;
        else
            report_.nodes[index].error = make_error_code(refusal);
    }

    errc send(session& asked, kind what, const addressee& to) {
        encoder& by = quorum_.encoder();
        switch (what) {
        case value:
            return asked.send(value_command(by, report_.key), to);
        case life:
            return asked.send(life_command(by, report_.key), to);
        case fence:
            return asked.send(fence_command(by, report_.key), to);
        default:
            return asked.send(listeners_command(by, report_.key), to);
        }
    }

    void on_reply(reply_tag tag, const resp::reply& reply) noexcept override {
        node_key_report& told = report_.nodes[tag.node()];
        switch (tag.kind<kind>()) {
        case value:
            take(told, read_value(reply));
            break;
        case life:
            take(told, read_life(reply));
            break;
        case fence:
            take(told, read_fence(reply));
            break;
        case listeners: // a user who takes locks need not have the right to count them
            told.listeners = read_listeners(reply);
            break;
        }
        one_less();
    }

    static void take(node_key_report& told, const value_answer& said) {
        if (said.what == value_answer::kind::error) told.error = make_error_code(said.error.meaning);
        if (said.what == value_answer::kind::value) told.value = std::string(said.value);
    }

    static void take(node_key_report& told, const life_answer& said) {
        if (said.what == life_answer::kind::error) told.error = make_error_code(said.error.meaning);
        if (said.what == life_answer::kind::limited) told.remaining = said.left;
    }

    static void take(node_key_report& told, const fence_answer& said) {
        // Nor to read fences.
        if (said.what == fence_answer::kind::error && said.error.meaning != errc::permission_denied)
            told.error = make_error_code(said.error.meaning);
        if (said.what == fence_answer::kind::fence) told.fence = said.fence;
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
        name_servers();
        find_holder();
        count_waiting();
        listener_.told({}, std::move(report_));
    }

    void name_servers() {
        for (std::uint32_t index = 0; index < quorum_.nodes(); ++index) {
            const auto& server = quorum_.session_of(index).node().server();
            report_.nodes[index].product = server.product;
            report_.nodes[index].version = server.version;
        }
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
