#pragma once

#include "core/backoff.hpp"
#include "core/flow/admission_place.hpp"
#include "engines/zookeeper/claim.hpp"
#include "engines/zookeeper/folder_look.hpp"
#include "time/timer_queue.hpp"
#include "turn/live_list.hpp"
#include "turn/outcome.hpp"

#include <redlock/detail/pool.hpp>

#include <string>

namespace redlock::zookeeper {

class zookeeper_engine;

/// What is left to do about a try that is over, as what stands in the folder shows it.
enum class farewell : std::uint8_t {
    nothing,
    free_record, ///< the record names it: writes that the key is free, and removes its node, and what it says
    void_record, ///< one that names it may still come: writes what is there anew, under another version
    remove_node, ///< it has a place, and nothing else
    /// The record names it, and what it proclaims may still come: removes its node, behind which nothing
    /// comes, and looks once more.
    remove_node_first,
    remove_leader ///< what it has proclaimed is all that is left
};
farewell farewell_to(std::string_view token, const holding& has, const sight& seen) noexcept;

/// Gives back what a try has, or may have: its node, the record, and what it proclaims. Where nobody knows
/// what became of that, it looks and does it anew, for there is nothing on the servers that would end it as
/// long as the session lives. While it asks it is in an admission window that departures have for themselves.
/// Owns itself; no cancellation reaches it.
class departure final : public turn::list_hook,
                        public detail::pooled,
                        private core::admission_place,
                        private time::timer {
public:
    departure(zookeeper_engine& by, claim_pointer of, bool lost, turn::outcome_waiters&& told);

    void start() { go_on(); }
    /// There is a connection again.
    void try_again() noexcept;

private:
    friend class zookeeper_engine;
    ~departure() = default;

    std::string_view left_record() const noexcept;
    void go_on();
    void ask();
    bool is_certain() const noexcept;
    void release_at_once();
    void look();
    void looked(const folder_look::outcome& o);
    void send(multi&& m);
    void done(const reply& r);
    void retry(errc why);
    void end();
    void tell(errc how, errc why = {});
    void let_in() noexcept override { ask(); }
    void expired(time::instant) noexcept override { go_on(); }

    zookeeper_engine& engine_;
    const claim_pointer of_;
    const bool lost_;
    turn::outcome_waiters told_;
    folder_look look_;
    awaited_call call_;
    core::backoff waits_;
    bool was_taken_over_ = false; ///< or the node was gone
    bool was_in_doubt_ = false;   ///< so that it looks
    bool looks_again_ = false;    ///< behind what was sent last
};

} // namespace redlock::zookeeper
