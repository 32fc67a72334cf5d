#pragma once

#include "engines/sql/session/handshake.hpp"

#include <boost/intrusive/list.hpp>

#include <cstdint>
#include <string_view>

namespace redlock::sql {

struct wake_tag;
using wake_hook =
    boost::intrusive::list_base_hook<boost::intrusive::tag<wake_tag>,
                                     boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

/// Waits for the release of a key. Leaves when it is destroyed.
class wake_waiter : public wake_hook {
public:
    /// Whether it is told of releases from now on. More than once, perhaps.
    virtual void listening(bool is_told) noexcept = 0;
    virtual void may_be_free() noexcept = 0;
    /// That it waits for.
    virtual std::string_view awaited_key() const noexcept = 0;

protected:
    ~wake_waiter() = default;
};

using wake_waiters = boost::intrusive::list<wake_waiter, boost::intrusive::base_hook<wake_hook>,
                                            boost::intrusive::constant_time_size<false>>;

/// Tells those who wait that a key may be free. On the strand.
class wakes {
public:
    virtual ~wakes() = default;

    // In a turn.
    /// The session of locks serves, or is there no more.
    virtual void table_serves(const server& found) = 0;
    virtual void table_lost() = 0;
    enum class watched : std::uint8_t {
        heard,  ///< it is told from now on
        soon,   ///< `listening` follows
        unheard ///< it is not told, for want of a connection; `listening` follows should there be one
    };
    virtual watched watch(wake_waiter& w) = 0;
    virtual void after_routines() = 0;
    virtual void stop() noexcept = 0;
    /// In a forked child, from anywhere: gives up what is shared with the parent.
    virtual void leave() noexcept = 0;
};

} // namespace redlock::sql
