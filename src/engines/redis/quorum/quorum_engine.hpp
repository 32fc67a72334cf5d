#pragma once

#include "engine/engine.hpp"
#include "engines/redis/quorum/quorum.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace redlock::redis {

namespace seam = redlock::engine; // whose name is that of its main class

/// Grants keys by a majority of nodes. Whose nodes these are, and how they are connected to, is the business
/// of the derived class: `redis_engine`, or a test.
class quorum_engine : public seam::engine {
public:
    quorum_engine(redis::settings s, turn::turns& t, std::uint64_t seed) : quorum_(std::move(s), t, seed) {
        quorum_.set_doubts([this] {
            if (losses_) losses_->keys_in_doubt();
        });
    }

    redis::quorum& quorum() noexcept { return quorum_; }
    const redis::quorum& quorum() const noexcept { return quorum_; }

    seam::claim_pointer claim_key(std::string_view prefix, seam::key_name&& key, bool fencing) override;
    seam::claim_pointer claim_again(const seam::claim& before, std::string_view prefix,
                                    bool fencing) override;
    seam::contest& contend(seam::wish&& w, seam::contest_listener& listener) override;
    bool supports(redlock::mode) const noexcept override { return true; }
    bool grants_undrained() const noexcept override { return true; }
    seam::contest& drain(const seam::wish& granted, seam::drain_listener& listener) override;
    seam::errand_pointer<> renew(seam::claim_pointer held, std::chrono::milliseconds life,
                                 std::uint64_t fencing_token, seam::renewal_listener& listener) override;
    bool downgrades() const noexcept override { return true; }
    seam::errand_pointer<> downgrade(seam::claim_pointer held, seam::claim_pointer reading,
                                     std::chrono::milliseconds life,
                                     seam::renewal_listener& listener) override;
    seam::errand_pointer<> advance_token(const seam::claim_pointer& held,
                                         seam::token_listener& listener) override;
    bool has_leaders() const noexcept override { return true; }
    seam::errand_pointer<> proclaim(const seam::claim_pointer& held, std::uint64_t term, std::string value,
                                    seam::proclamation_listener& listener) override;
    void release(seam::claim_pointer held, core::instant keys_end, turn::outcome_waiters&& told,
                 bool lost) override;
    bool others_waited_longer(const seam::claim& held, const seam::claim& next) const noexcept override;
    void set_holders(const seam::holders& h) noexcept override { quorum_.set_holders(h); }
    void look_for_others(seam::claim_pointer held, seam::others_listener& listener) override;

    seam::question_pointer check(std::string full_key, std::uint64_t fencing_token,
                                 seam::answer_listener<seam::no_report>& listener) override;
    seam::question_pointer inspect(std::string full_key,
                                   seam::answer_listener<key_report>& listener) override;
    bool lists() const noexcept override { return true; }
    seam::question_pointer list(std::string beginning, std::size_t most,
                                seam::answer_listener<key_list>& listener) override;
    seam::question_pointer observe(std::string full_key, leader_mark known,
                                   seam::answer_listener<leader_info>& listener) override;
    seam::question_pointer remove(key_report shown, seam::answer_listener<break_report>& listener) override;

    void before_routines() noexcept override { quorum_.before_routines(); }
    bool send_what_waits(bool flushes) noexcept override { return quorum_.send_what_waits(flushes); }
    void after_routines() noexcept override { quorum_.after_routines(); }
    bool has_unwritten() const noexcept override { return quorum_.has_unwritten(); }
    bool is_busy() const noexcept override { return quorum_.is_busy(); }
    void flush() noexcept override { quorum_.flush(); }
    bool quiet() const noexcept override { return quorum_.quiet(); }
    void abandon() noexcept override { quorum_.abandon(); }
    void report(metrics_snapshot& to) const override;

private:
    redis::quorum quorum_;
};

} // namespace redlock::redis
