#pragma once

#include "core/backoff.hpp"
#include "core/instant.hpp"
#include "core/random.hpp"
#include "engines/zookeeper/rule/absences.hpp"
#include "engines/zookeeper/rule/key_folder.hpp"
#include "engines/zookeeper/rule/lock_record.hpp"

#include <redlock/error.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::zookeeper {

/// The folder of a key at one moment. The nodes were read behind the record, and no record was written in
/// between.
struct sight {
    bool exists = false;      ///< otherwise it was never locked
    std::int32_t version = 0; ///< of the record
    std::int64_t written_by = 0;
    std::optional<lock_record> holder{};
    std::vector<place_node> nodes{};
    bool is_shared = false; ///< in the place of a holder
    std::vector<reader_mark> marks{};
    bool has_leader = false; ///< a node with what somebody proclaims

    const place_node* node_of(std::string_view token) const noexcept;
    const reader_mark* mark_of(std::string_view token) const noexcept;
    /// What is proclaimed there is nobody's any more: only a holder can proclaim, whose node is there.
    bool has_stale_leader() const noexcept { return has_leader && !(holder && node_of(holder->token)); }
};

/// Whether who arrives and has no node yet need not know whom the record names: it is empty or shared, which
/// its length tells, or somebody's node is in his way, the holder's or that of one who waits.
bool suffices_for_arrival(const sight& of_nodes, bool record_is_empty, bool reads) noexcept;

/// Since when those are missing who have, or may have, the key: max where they are there.
struct missing {
    core::instant holder = core::instant::max();
    std::vector<core::instant> marks{}; ///< of each mark
};

/// One try's place among those who want a key, and what to do next: it is told what stands in the folder and
/// the time, and says what to ask for. A key is taken by writing the record in the place of the one that was
/// seen, by version: whoever else has written it meanwhile has the key, or had it.
///
/// The record of a holder whose node is there is his. Where the node is missing he is waited for as long as
/// he may believe, from when that was noticed. A record that says "free" was written by him who had it.
///
/// Readers share the record. Who finds it shared leaves his mark without writing it, if his node is there
/// still; who finds it free writes it. So two readers are not in each other's way, and a writer who has not
/// seen a reader's mark has either been seen by that reader, with his node before the reader's, or had no
/// node yet: he does not take a shared key without one. For a writer a mark is as good as a record.
class place {
public:
    enum class action : std::uint8_t {
        look,         ///< at the folder
        sleep,        ///< until then
        take_at_once, ///< writes the record, and makes the node with it
        queue,        ///< makes a node to wait with, and looks
        take,         ///< writes the record, or leaves a mark, with the node that is there
        watch,        ///< that node until it goes, and looks; or until then
        anew,         ///< looks, under another name: what was done under this one is void
        end           ///< without the key
    };
    struct step {
        action what;
        core::instant until = core::instant::max();
        std::string watched{};
        errc why{}; ///< of an end
    };

    place(bool waits, core::instant wait_until, bool reads = false) noexcept
        : waits_(waits), reads_(reads), wait_until_(wait_until) {}

    /// Not before then, for others are to have a chance first.
    step start(core::instant now, core::instant not_before) noexcept;
    step seen(const sight& s, std::string_view own_token, const missing& known, core::instant now);
    /// There is a node now.
    step queued() noexcept;
    /// Somebody else has written the record, or made the folder.
    step came_second() noexcept { return {.what = action::look}; }
    /// What was watched has gone.
    step woken() noexcept { return {.what = action::look}; }
    step time_passed(core::instant now) noexcept;
    /// There were too many others to ask before it could wait no longer.
    step not_let_in() noexcept { return {.what = action::end, .why = errc::wait_timeout}; }
    /// Nothing came of what was asked for, or the grant was of no use any more.
    step failed(errc why, core::instant now, core::random& draws) noexcept;
    /// The node, if there was one, is gone or to go.
    void lose_node() noexcept { has_node_ = false; }

    bool has_node() const noexcept { return has_node_; }
    bool has_waited() const noexcept { return has_waited_; }

private:
    struct hindrance {
        const place_node* node = nullptr;     ///< to watch
        core::instant ends = core::instant{}; ///< or to wait for until then
        bool is_there() const noexcept { return node || ends != core::instant{}; }
    };

    step wait(step s) const noexcept;
    step arrive(bool is_free, bool is_shared, bool others_wait, core::instant now) noexcept;
    hindrance who_has_it(const sight& s, std::string_view own_token, const missing& known,
                         core::instant now) const noexcept;

    const bool waits_;
    const bool reads_;
    const core::instant wait_until_;
    core::backoff later_{std::chrono::milliseconds(100), std::chrono::seconds(1)};
    bool has_node_ = false;
    bool has_waited_ = false;
};

/// Whether one whose node is missing may still believe to have the key for this life.
bool may_believe(std::chrono::milliseconds life, core::instant absent_since, core::instant now) noexcept;

/// Who is missing in what was seen, with what is known of absences.
missing missing_in(const sight& s, absences& known, const std::string& folder, core::instant now);

/// Names of marks that mean nothing any more; at most so many.
std::vector<std::string> stale_marks(const sight& s, const missing& known, core::instant now,
                                     std::size_t most);

} // namespace redlock::zookeeper
