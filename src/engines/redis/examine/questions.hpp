#pragma once

#include "engine/question.hpp"
#include "turn/live_list.hpp"

#include <redlock/break_report.hpp>
#include <redlock/detail/pool.hpp>
#include <redlock/key_list.hpp>
#include <redlock/key_report.hpp>
#include <redlock/leader_info.hpp>

#include <cstdint>
#include <string>

namespace redlock::redis {

class quorum;

/// A question of a user to all nodes. It lives until it was let go of and the last node has answered or let
/// its deadline pass.
class node_question : public engine::question, public turn::list_hook, public detail::pooled {
public:
    void let_go() noexcept final {
        let_go_ = true;
        ended();
        end_if_done();
    }

protected:
    explicit node_question(quorum& q);
    virtual ~node_question() = default;

    /// It was let go of: nothing more is to be asked.
    virtual void ended() noexcept {}
    bool is_let_go() const noexcept { return let_go_; }
    /// Whether nothing comes back to it any more.
    virtual bool is_settled() const noexcept = 0;
    /// The last statement of whoever calls it.
    void end_if_done() noexcept {
        if (let_go_ && is_settled()) delete this;
    }

    quorum& quorum_;

private:
    friend class quorum;
    bool let_go_ = false;
};

// As `engine::engine` says.
engine::question_pointer make_check(quorum& q, std::string full_key, std::uint64_t fencing_token,
                                    engine::answer_listener<engine::no_report>& listener);
engine::question_pointer make_inspection(quorum& q, std::string full_key,
                                         engine::answer_listener<key_report>& listener);
engine::question_pointer make_list(quorum& q, std::string beginning, std::size_t most,
                                   engine::answer_listener<key_list>& listener);
engine::question_pointer make_observation(quorum& q, std::string full_key, leader_mark known,
                                          engine::answer_listener<leader_info>& listener);
engine::question_pointer make_removal(quorum& q, key_report shown,
                                      engine::answer_listener<break_report>& listener);

} // namespace redlock::redis
