#pragma once

#include "engines/sql/postgresql/session/session.hpp"
#include "engines/sql/wake_bucket.hpp"
#include "time/timer_queue.hpp"

#include <boost/intrusive/list.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::postgresql {

struct wake_tag;
using wake_hook =
    boost::intrusive::list_base_hook<boost::intrusive::tag<wake_tag>,
                                     boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

/// Waits for releases of the keys of one group. Leaves when it is destroyed.
class wake_waiter : public wake_hook {
public:
    /// Whether it is told of releases from now on. More than once, perhaps.
    virtual void listening(bool is_told) noexcept = 0;
    virtual void may_be_free() noexcept = 0;

protected:
    ~wake_waiter() = default;
};

/// The session that is told of releases. It has a shared advisory lock for each group of keys that somebody
/// of this client waits for: by that, whoever releases one sees that it is to tell. It is made when it is
/// first needed. On the strand.
class wake_session final : private session_listener, private time::timer {
public:
    wake_session(const strand& on, turn::turns& t, const address& to, const session_settings& s);

    // In a turn.
    /// The table whose releases are of interest.
    void set_table(std::uint32_t table);
    enum class watched : std::uint8_t {
        heard,  ///< it is told from now on
        soon,   ///< `listening` follows
        unheard ///< it is not told, for want of a connection; `listening` follows should there be one
    };
    watched watch(std::size_t bucket, wake_waiter& w);
    void stop() noexcept;
    void leave() noexcept { line_.leave(); }
    void after_routines();

private:
    enum class state : std::uint8_t { unheard, asked, heard };
    using waiters = boost::intrusive::list<wake_waiter, boost::intrusive::base_hook<wake_hook>,
                                           boost::intrusive::constant_time_size<false>>;
    struct group {
        wake_session::waiters waiters;
        state is = state::unheard;
        core::instant used{}; ///< last, by somebody who waits
    };

    void settle();
    static void tell(group& g, bool is_told) noexcept;
    void tell_unheard() noexcept;

    void connected() override;
    void answered(std::vector<sql::answer>&& all) override;
    void notified(std::string_view payload) override;
    void lost(errc why, const std::string& text) override;
    void expired(time::instant now) noexcept override;

    turn::turns& turns_;
    session line_;
    std::uint32_t table_ = 0;
    std::array<group, sql::wake_buckets> groups_;
    std::vector<std::size_t> asked_; ///< for these it waits for an answer
    bool unsettled_ = false;
};

} // namespace redlock::postgresql
