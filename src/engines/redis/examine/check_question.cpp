// Whether a fencing token is the current one of its key.

#include "core/holder_value.hpp"
#include "core/lock_token.hpp"
#include "engines/redis/examine/questions.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/rounds/round.hpp"
#include "engines/redis/rounds/round_failure.hpp"
#include "turn/outcome.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
          fencing_token_(fencing_token),
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
        if (said.what == value_answer::kind::error) {
            fail(tag.node(), said.error);
        } else {
            take(tag.node(), core::read_holder_value(said.value, core::lock_token::size));
        }
        heard_from_one();
    }
    void take(std::uint32_t index, const core::holder_value& has) {
        if (has.fencing_token == fencing_token_) {
            if (holder_.empty()) holder_ = has.token;
            vote(index, core::vote::yes);
        } else if (has.fencing_token && *has.fencing_token < fencing_token_) {
            behind_.push_back({index, std::string(has.token)});
        } else {
            vote(index, core::vote::no);
        }
    }
    void unanswered(reply_tag tag, errc why) noexcept override {
        round::unanswered(tag, why);
        heard_from_one();
    }

    /// A node that had no part in it when its holder got this fencing token still names the one before. It is
    /// the holder's in any case: a later token is on a majority of nodes, none of which would name an earlier
    /// one.
    struct node_behind {
        std::uint32_t index;
        std::string token;
    };
    void heard_from_one() noexcept {
        ++heard_;
        std::erase_if(behind_, [&](const node_behind& one) {
            const bool is_holders = !holder_.empty() && one.token == holder_;
            if (!is_holders && heard_ < votes().nodes()) return false;
            vote(one.index, is_holders ? core::vote::yes : core::vote::no);
            return true;
        });
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
    const std::uint64_t fencing_token_;
    std::string holder_; ///< the token of who has that fencing token
    std::vector<node_behind> behind_;
    unsigned heard_ = 0;
    engine::answer_listener<engine::no_report>& listener_;
};

} // namespace

node_question::node_question(quorum& q) : quorum_(q) { q.questions().push_back(*this); }

engine::question_pointer make_check(quorum& q, std::string full_key, std::uint64_t fencing_token,
                                    engine::answer_listener<engine::no_report>& listener) {
    return engine::question_pointer(new check_question(q, std::move(full_key), fencing_token, listener));
}

} // namespace redlock::redis
