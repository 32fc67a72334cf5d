// Who has a key, on which node, and for how long.

#include "core/election/leader_knowledge.hpp"
#include "core/holder_value.hpp"
#include "core/lock_token.hpp"
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
    enum kind : std::uint32_t { value, life, fence, listeners, readers, leader };

    void start() override {
        report_.nodes.resize(quorum_.nodes());
        for (std::uint32_t index = 0; index < quorum_.nodes(); ++index) {
            report_.nodes[index].node = quorum_.session_of(index).node().name();
            for (const kind what : {value, life, fence, listeners, readers, leader})
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
        case readers:
            return asked.send(readers_command(by, report_.key), to);
        case leader:
            return asked.send(leader_command(by, report_.key), to);
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
        case readers:
            take_readers(tag, reply);
            break;
        case leader:
            take(read_leader(reply));
            break;
        }
        one_less();
    }

    // Nor need he have the right to run a script.
    void take_readers(reply_tag tag, const resp::reply& reply) {
        const readers_answer said = quorum_.session_of(tag.node()).answer_to_readers(tag, reply);
        if (said.unknown_form && !is_let_go()) return ask(tag.node(), readers);
        node_key_report& told = report_.nodes[tag.node()];
        if (!said.is_told) return;
        told.more_readers = said.are_more;
        told.readers.emplace();
        for (const readers_answer::entry& one : said.entries)
            told.readers->push_back(
                {.value = std::string(one.value), .remaining = one.left, .label = label_in(one.value)});
    }

    static void take(node_key_report& told, const value_answer& said) {
        if (said.what == value_answer::kind::error) told.error = make_error_code(said.error.meaning);
        if (said.what != value_answer::kind::value) return;
        told.value = std::string(said.value);
        told.label = label_in(said.value);
    }
    static std::string label_in(std::string_view value) {
        return core::label_of(value, core::lock_token::size);
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

    // Nor to read what leaders proclaim; and what is wrong with that is not wrong with the key.
    void take(const leader_answer& said) {
        if (said.what != leader_answer::kind::leader) return;
        if (report_.leader && !core::is_behind(report_.leader->mark, said.mark)) return;
        report_.leader = leader_info{.value = std::string(said.value), .mark = said.mark, .present = true};
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
        std::map<std::string_view, unsigned> entries;
        for (const node_key_report& told : report_.nodes) {
            if (!told.readers) continue;
            for (const reader_report& one : *told.readers)
                if (++entries[one.value] == core::majority(quorum_.nodes()))
                    report_.readers.push_back(one.value);
        }
        for (const node_key_report& told : report_.nodes)
            if (told.value && ++votes[*told.value] == core::majority(quorum_.nodes())) {
                report_.holder = *told.value;
                report_.holder_label = told.label;
            }
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
