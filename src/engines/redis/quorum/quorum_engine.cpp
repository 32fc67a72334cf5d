#include "engines/redis/quorum/quorum_engine.hpp"

#include "core/validity.hpp"
#include "engines/redis/contest/contest.hpp"
#include "engines/redis/contest/drain.hpp"
#include "engines/redis/examine/questions.hpp"
#include "engines/redis/quorum/errands.hpp"
#include "engines/redis/quorum/report.hpp"
#include "engines/redis/rounds/release.hpp"
#include "engines/redis/watch/listener_count.hpp"

#include <memory>
#include <utility>

namespace redlock::redis {

seam::claim_pointer quorum_engine::claim_key(std::string_view prefix, seam::key_name&& key, bool fencing) {
    const bool leads = key.leads;
    return make_claim(leads, prefix, std::move(key), quorum_.new_token(),
                      fencing ? quorum_.propose_fence() : 0);
}

seam::claim_pointer quorum_engine::claim_again(const seam::claim& before, std::string_view, bool fencing) {
    const auto& last = static_cast<const claim&>(before);
    return make_claim(last.leads(), last, quorum_.new_token(last.ticket()),
                      fencing ? quorum_.propose_fence() : 0);
}

seam::contest& quorum_engine::contend(seam::wish&& w, seam::contest_listener& listener) {
    return *new contest(quorum_, std::move(w), listener);
}

seam::contest& quorum_engine::drain(const seam::wish& granted, seam::drain_listener& listener) {
    return *new redis::drain(quorum_, granted, listener);
}

seam::errand_pointer<> quorum_engine::renew(seam::claim_pointer held, std::chrono::milliseconds life,
                                            std::uint64_t fencing_token, seam::renewal_listener& listener) {
    auto* const made = new renewal(quorum_, listener);
    seam::errand_pointer<> under_way(made);
    made->start(own(std::move(held)), life, fencing_token);
    return under_way;
}

seam::errand_pointer<> quorum_engine::downgrade(seam::claim_pointer held, seam::claim_pointer reading,
                                                std::chrono::milliseconds life,
                                                seam::renewal_listener& listener) {
    auto* const made = new redis::downgrade(quorum_, listener);
    seam::errand_pointer<> under_way(made);
    made->start(own(std::move(held)), own(std::move(reading)), life);
    return under_way;
}

seam::errand_pointer<> quorum_engine::advance_token(const seam::claim_pointer& held,
                                                    seam::token_listener& listener) {
    auto* const made = new token_advance(quorum_, held, listener);
    seam::errand_pointer<> under_way(made);
    made->start();
    return under_way;
}

seam::errand_pointer<> quorum_engine::proclaim(const seam::claim_pointer& held, std::uint64_t term,
                                               std::string value, seam::proclamation_listener& listener) {
    auto* const made = new proclamation(quorum_, listener);
    seam::errand_pointer<> under_way(made);
    made->start(own(held), term, std::move(value));
    return under_way;
}

// A key that was written for the last time just before it runs out by the clock here may live on for as long
// as the command was under way.
void quorum_engine::release(seam::claim_pointer held, core::instant keys_end, turn::outcome_waiters&& told,
                            bool lost) {
    release::start_with_others(quorum_, own(std::move(held)),
                               core::saturating_add(keys_end, quorum_.longest_command()), std::move(told),
                               lost);
}

bool quorum_engine::others_waited_longer(const seam::claim& held, const seam::claim& next) const noexcept {
    return static_cast<const claim&>(held).is_waited_for_before(static_cast<const claim&>(next).ticket());
}

void quorum_engine::look_for_others(seam::claim_pointer held, seam::others_listener& listener) {
    listener_count::start(quorum_, own(std::move(held)), listener);
}

seam::question_pointer quorum_engine::check(std::string full_key, std::uint64_t fencing_token,
                                            seam::answer_listener<seam::no_report>& listener) {
    return make_check(quorum_, std::move(full_key), fencing_token, listener);
}

seam::question_pointer quorum_engine::inspect(std::string full_key,
                                              seam::answer_listener<key_report>& listener) {
    return make_inspection(quorum_, std::move(full_key), listener);
}

seam::question_pointer quorum_engine::list(std::string beginning, std::size_t most,
                                           seam::answer_listener<key_list>& listener) {
    return make_list(quorum_, std::move(beginning), most, listener);
}

seam::question_pointer quorum_engine::observe(std::string full_key, leader_mark known,
                                              seam::answer_listener<leader_info>& listener) {
    return make_observation(quorum_, std::move(full_key), known, listener);
}

seam::question_pointer quorum_engine::remove(key_report shown,
                                             seam::answer_listener<break_report>& listener) {
    return make_removal(quorum_, std::move(shown), listener);
}

void quorum_engine::report(metrics_snapshot& to) const { report_quorum(quorum_, to); }

} // namespace redlock::redis
