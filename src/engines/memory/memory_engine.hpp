#pragma once

#include "engine/engine.hpp"
#include "engines/memory/store.hpp"
#include "turn/inbox.hpp"
#include "turn/live_list.hpp"

#include <redlock/observer.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::memory {

class claim;
class contest;
class observation;

/// What stands behind `memory://` in an address. Throws std::system_error with `invalid_uri` unless it is
/// 1 to 64 letters, digits, dots, hyphens and underscores.
std::string_view checked_name(std::string_view name);

/// Grants keys of a store that all clients of this process share.
class memory_engine final : public engine::engine, private mailbox, private turn::inbox_item {
public:
    using call_later = std::function<void(std::function<void()>)>;

    /// `later` calls something on the client's strand.
    memory_engine(std::shared_ptr<store> keys, std::shared_ptr<redlock::observer> observer, turn::turns& t,
                  call_later later, std::string holder_label = {});
    ~memory_engine() override;

    store& keys() noexcept { return *keys_; }
    turn::turns& turns() noexcept { return turns_; }
    mailbox& box() noexcept { return *this; }
    redlock::observer* observer() const noexcept { return observer_.get(); }
    turn::live_list<contest>& contests() noexcept { return contests_; }
    turn::live_list<observation>& observations() noexcept { return observations_; }
    /// For another try.
    std::shared_ptr<const claim> claim_anew(const claim& before);
    void count_refusal(errc why) noexcept { ++(why == errc::held ? refusals_ : failures_); }

    void start() override;
    redlock::engine::claim_pointer claim_key(std::string_view prefix, redlock::engine::key_name&& key,
                                             bool fencing) override;
    redlock::engine::contest& contend(redlock::engine::wish&& w,
                                      redlock::engine::contest_listener& listener) override;
    bool supports(redlock::mode) const noexcept override { return true; }
    bool has_leaders() const noexcept override { return true; }
    redlock::engine::errand_pointer<> renew(redlock::engine::claim_pointer held,
                                            std::chrono::milliseconds life, std::uint64_t fencing_token,
                                            redlock::engine::renewal_listener& listener) override;
    bool downgrades() const noexcept override { return true; }
    redlock::engine::errand_pointer<> downgrade(redlock::engine::claim_pointer held,
                                                redlock::engine::claim_pointer reading,
                                                std::chrono::milliseconds life,
                                                redlock::engine::renewal_listener& listener) override;
    redlock::engine::errand_pointer<> advance_token(const redlock::engine::claim_pointer& held,
                                                    redlock::engine::token_listener& listener) override;
    redlock::engine::errand_pointer<> proclaim(const redlock::engine::claim_pointer& held, std::uint64_t term,
                                               std::string value,
                                               redlock::engine::proclamation_listener& listener) override;
    void release(redlock::engine::claim_pointer held, core::instant keys_end, turn::outcome_waiters&& told,
                 bool lost) override;
    void look_for_others(redlock::engine::claim_pointer held,
                         redlock::engine::others_listener& listener) override;

    redlock::engine::question_pointer
    check(std::string full_key, std::uint64_t fencing_token,
          redlock::engine::answer_listener<redlock::engine::no_report>& listener) override;
    redlock::engine::question_pointer
    inspect(std::string full_key, redlock::engine::answer_listener<key_report>& listener) override;
    bool lists() const noexcept override { return true; }
    redlock::engine::question_pointer list(std::string beginning, std::size_t most,
                                           redlock::engine::answer_listener<key_list>& listener) override;
    redlock::engine::question_pointer
    observe(std::string full_key, leader_mark known,
            redlock::engine::answer_listener<leader_info>& listener) override;
    redlock::engine::question_pointer
    remove(key_report shown, redlock::engine::answer_listener<break_report>& listener) override;
    redlock::engine::question_pointer
    examine(redlock::engine::answer_listener<std::vector<node_examination>>& listener) override;

    void before_routines() noexcept override {}
    bool send_what_waits(bool) noexcept override { return false; }
    void after_routines() noexcept override {}
    bool has_unwritten() const noexcept override { return false; }
    bool is_busy() const noexcept override { return false; }
    void flush() noexcept override {}
    bool quiet() const noexcept override { return contests_.empty(); }
    void stop(std::function<void()> ended) override;
    void disconnect() noexcept override;
    void abandon() noexcept override;
    void report(metrics_snapshot& to) const override;

private:
    void remove_readers(const std::vector<std::string>& shown, std::string_view key, node_break_report& told,
                        break_report& report);
    /// The one node that users see.
    std::string node_name() const;

    // From any thread, with the store locked.
    void something_came() noexcept override;
    void arrive() noexcept override;
    void discard() noexcept override {}

    const std::shared_ptr<store> keys_;
    const std::shared_ptr<redlock::observer> observer_;
    turn::turns& turns_;
    call_later later_; ///< nothing once the executor's context is gone
    turn::live_list<contest> contests_;
    turn::live_list<observation> observations_;
    std::uint64_t refusals_ = 0;
    std::uint64_t failures_ = 0;
};

} // namespace redlock::memory
