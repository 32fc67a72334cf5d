// Whether a fencing token is the current one of its key.

#include "engines/redis/examine/questions.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/rounds/round.hpp"
#include "engines/redis/rounds/round_failure.hpp"
#include "turn/outcome.hpp"

#include <fmt/format.h>

#include <utility>

namespace redlock::redis {

namespace {

/// Asks all nodes for the value of a key, which ends with the fencing token of its holder.
class check_question final : public node_question, private round {
public:
    check_question(redis::quorum& q, std::string&& full_key, std::uint64_t fencing_token,
                   engine::answer_listener<engine::no_report>& listener)
        : node_question(q),
          round(q),
          full_key_(std::move(full_key)),
          ending_(fmt::format(":{}", fencing_token)),
          listener_(listener) {}

private:
    void start() override {
        redis::quorum& on = node_question::quorum_;
        round::begin(on.nodes());
        value_command command(on.encoder(), full_key_);
        for (std::uint32_t index = 0; index < on.nodes(); ++index) {
            const addressee to{.receiver = this, .tag = reply_tag::of(index), .deadline = on.deadline()};
            sent(to.tag, on.session_of(index).send(command, to));
        }
        end_of_sending();
    }

    void answered(reply_tag tag, const resp::reply& reply) override {
        const value_answer said = read_value(reply);
        if (said.what == value_answer::kind::error) return fail(tag.node(), said.error);
        vote(tag.node(), said.value.ends_with(ending_) ? core::vote::yes : core::vote::no);
    }

    core::verdict judge() const noexcept override { return votes().decide_on_certainty(); }

    void decided() noexcept override {
        if (is_let_go()) return;
        const round_failure more(node_question::quorum_, *this);
        const bool has_failed = verdict() == core::verdict::unreachable;
        listener_.told(turn::code_of(outcome()), {}, has_failed ? &more : nullptr);
    }
    errc outcome() const noexcept {
        switch (verdict()) {
        case core::verdict::granted:
            return errc{};
        case core::verdict::refused:
            return errc::lease_lost;
        default:
            return failure();
        }
    }

    bool is_settled() const noexcept override { return settled(); }
    void all_settled() noexcept override { end_if_done(); }

    const std::string full_key_;
    const std::string ending_;
    engine::answer_listener<engine::no_report>& listener_;
};

} // namespace

node_question::node_question(quorum& q) : quorum_(q) { q.questions().push_back(*this); }

engine::question_pointer make_check(quorum& q, std::string full_key, std::uint64_t fencing_token,
                                    engine::answer_listener<engine::no_report>& listener) {
    return engine::question_pointer(new check_question(q, std::move(full_key), fencing_token, listener));
}

} // namespace redlock::redis
