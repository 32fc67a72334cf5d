#pragma once

#include "engine/engine.hpp"
#include "engines/pair/claim.hpp"
#include "engines/pair/contest.hpp"
#include "engines/pair/errands.hpp"
#include "engines/pair/side.hpp"
#include "turn/live_list.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::pair {

namespace seam = redlock::engine;

/// Grants what two engines of different kinds have both granted: the double lock. At most one has a key as
/// long as either of them keeps its promise. The rule is in `joint_acquisition` and `joint_outcome`.
class pair_engine final : public seam::engine {
public:
    /// Both on the strand and in the turns of the client. The fencing tokens are those of `second`.
    pair_engine(std::unique_ptr<seam::engine> first, std::unique_ptr<seam::engine> second, turn::turns& t);
    ~pair_engine() override;

    seam::engine& first() noexcept { return *first_; }
    seam::engine& second() noexcept { return *second_; }
    turn::turns& turns() noexcept { return turns_; }
    turn::live_list<contest>& contests() noexcept { return contests_; }
    turn::live_list<pair::release>& releases() noexcept { return releases_; }
    seam::loss_listener* losses() const noexcept { return losses_; }
    /// As the lease layer says.
    const seam::claim* holder_of(std::string_view full_key) const noexcept;
    bool has_left(std::string_view full_key, const std::function<bool(const seam::claim&)>& is_it) const;
    /// For another try; keeps its place where the first engine knows of places.
    claim_pointer claim_anew(const claim& before, bool fencing);
    /// Nobody wants to know how it comes out.
    void give_back_first(seam::claim_pointer held, core::instant keys_end);

    void set_holders(const seam::holders& of_this_client) noexcept override { holders_ = &of_this_client; }
    void start() override;
    seam::claim_pointer claim_key(std::string_view prefix, seam::key_name&& key, bool fencing) override;
    seam::claim_pointer claim_again(const seam::claim& before, std::string_view prefix,
                                    bool fencing) override;
    seam::contest& contend(seam::wish&& w, seam::contest_listener& listener) override;
    seam::errand_pointer<> renew(seam::claim_pointer held, std::chrono::milliseconds life,
                                 std::uint64_t fencing_token, seam::renewal_listener& listener) override;
    seam::errand_pointer<> advance_token(const seam::claim_pointer& held,
                                         seam::token_listener& listener) override;
    void release(seam::claim_pointer held, core::instant keys_end, turn::outcome_waiters&& told,
                 bool lost) override;
    bool others_waited_longer(const seam::claim& held, const seam::claim& next) const noexcept override;
    void look_for_others(seam::claim_pointer held, seam::others_listener& listener) override;

    seam::question_pointer check(std::string full_key, std::uint64_t fencing_token,
                                 seam::answer_listener<seam::no_report>& listener) override;
    seam::question_pointer inspect(std::string full_key,
                                   seam::answer_listener<key_report>& listener) override;
    bool lists() const noexcept override { return first_->lists() && second_->lists(); }
    seam::question_pointer list(std::string beginning, std::size_t most,
                                seam::answer_listener<key_list>& listener) override;
    seam::question_pointer remove(key_report shown, seam::answer_listener<break_report>& listener) override;
    seam::question_pointer examine(seam::answer_listener<std::vector<node_examination>>& listener) override;

    void before_routines() noexcept override;
    bool send_what_waits(bool flushes) noexcept override;
    void after_routines() noexcept override;
    bool has_unwritten() const noexcept override;
    bool is_busy() const noexcept override;
    void flush() noexcept override;
    void begin_closing() noexcept override;
    bool quiet() const noexcept override;
    void stop(std::function<void()> ended) override;
    void leave() noexcept override;
    void fail_all() override;
    void disconnect() noexcept override;
    void abandon() noexcept override;
    void report(metrics_snapshot& to) const override;

private:
    /// How many nodes of a report are the first engine's.
    std::size_t nodes_of_first() const;

    turn::turns& turns_;
    side at_first_{*this, place::first};
    side at_second_{*this, place::second};
    const std::unique_ptr<seam::engine> first_;
    const std::unique_ptr<seam::engine> second_;
    const seam::holders* holders_ = nullptr;
    turn::live_list<contest> contests_;
    turn::live_list<pair::release> releases_;
    unsigned running_ = 0; ///< of the two, while they stop
    std::function<void()> ended_;
};

} // namespace redlock::pair
