#pragma once

#include "core/election/leader_knowledge.hpp"

#include <redlock/leader_info.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace redlock::zookeeper {

/// What the holder of a key proclaims, and how that comes to stand in the node beside his: it is told what
/// became of each request, and says what to ask for next, one after the other. Every request is carried out
/// with the holder's node there, or not at all. So nothing is written for one who has the key no more,
/// however late the request comes.
///
/// Of one holder, what he proclaimed before never takes the place of what came later: the node is made where
/// there is none, and written over the version that it is known to have.
class statement {
public:
    enum class action : std::uint8_t {
        nothing,
        make,  ///< the node, with the record
        write, ///< the record, over `version`
        check, ///< that the node is of `version`
        look   ///< at the node: its version, its owner and its record
    };
    enum class answer : std::uint8_t {
        done,
        key_gone,   ///< the holder's node is not there
        node_there, ///< one is not to be made
        node_gone,  ///< there is none to be written, or seen
        changed,    ///< it is of another version
        unknown     ///< it may have been done, or may be yet
    };

    /// This from now on.
    void proclaim(std::uint64_t term, std::string_view value);
    /// What was proclaimed is to stand there still: where nobody knows, it is asked once more.
    void again() noexcept {
        is_to_check_ = true;
        is_obstructed_ = false;
    }

    /// What to ask for, which is under way then: nothing follows before its answer.
    action next() noexcept;
    void answered(answer a) noexcept;
    /// To a look: the node has this version and data, and a session of the holder's own has made it, or
    /// another's.
    void seen(std::int32_t version, bool is_own, std::string_view data);
    /// To a request, instead of an answer: it was never sent, or refused.
    void not_done() noexcept { asked_ = action::nothing; }

    const std::string& record() const noexcept { return record_; }
    std::int32_t version() const noexcept { return version_.value_or(0); }
    const leader_mark& mark() const noexcept { return mark_; }

    /// That mark, or a later one, was confirmed.
    bool stands(const leader_mark& said) const noexcept { return !core::is_behind(stands_, said); }
    bool key_is_gone() const noexcept { return key_is_gone_; }
    /// Somebody else has put something in its place.
    bool is_obstructed() const noexcept { return is_obstructed_; }
    /// There is a node, as far as is known, and nothing is under way that may change that.
    bool is_at_rest() const noexcept { return version_ && asked_ == action::nothing && !is_unsure_; }
    /// A node may be made yet, at any time, as long as that of the holder is there.
    bool may_come_late() const noexcept { return may_come_late_; }

private:
    action ask(action a) noexcept;

    leader_mark mark_;
    std::string record_;
    leader_mark asked_mark_;
    action asked_ = action::nothing;
    std::optional<std::int32_t> version_; ///< of the node; nothing where there is none
    leader_mark stands_;                  ///< that it was last known to show
    bool is_unsure_ = false;              ///< whether there is one, and what it shows
    bool is_to_check_ = false;
    bool key_is_gone_ = false;
    bool is_obstructed_ = false;
    bool may_come_late_ = false;
};

} // namespace redlock::zookeeper
