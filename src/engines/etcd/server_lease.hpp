#pragma once

#include "core/instant.hpp"

#include <chrono>
#include <cstdint>

namespace redlock::etcd {

/// How long a lease of the server has to live for keys that are to live so long: whole seconds, at least 2.
std::chrono::seconds server_ttl_for(std::chrono::milliseconds life) noexcept;

/// One lease of the server, under which keys live: how long they do for sure, and what to ask the server for.
/// It is told what was asked and answered, and the time. A life counts from the sending of the last grant or
/// keepalive that was answered, for the server began it no earlier.
class server_lease {
public:
    enum class need : std::uint8_t {
        nothing, ///< before `due`
        grant,
        keep_alive,
        revoke ///< nobody uses it any more, or nobody knows whether it was granted
    };

    /// `is_shared`: by all keys with that life, and kept for a while when none is left.
    server_lease(std::int64_t chosen_id, std::chrono::seconds ttl, bool is_shared) noexcept
        : id_(chosen_id), ttl_(ttl), granted_(ttl), is_shared_(is_shared) {}

    std::int64_t id() const noexcept { return id_; }
    std::chrono::seconds ttl() const noexcept { return ttl_; }
    bool is_shared() const noexcept { return is_shared_; }
    /// The server was asked, and has not answered yet.
    bool is_asked() const noexcept { return is_asked_; }
    bool was_granted() const noexcept { return phase_ == phase::granted; }
    /// It never existed, or does not any more: another one has to be granted.
    bool is_over() const noexcept { return phase_ == phase::over; }
    /// It exists for a while to come, as far as this side can tell.
    bool is_alive(core::instant now) const noexcept { return was_granted() && now < lives_until(); }
    /// Alive, and what was answered last was sent so lately that another keepalive would say nothing new.
    bool is_fresh(core::instant now) const noexcept;
    core::instant lives_until() const noexcept { return alive_from_ + granted_; }
    /// From when on a key under it that was asked for at `asked_at` has that life for sure: before the asking
    /// where the lease ends earlier.
    core::instant sent_at(core::instant asked_at, std::chrono::milliseconds life) const noexcept;

    /// Somebody has a key under it, or is to have one.
    void use() noexcept { ++users_; }
    void leave(core::instant now) noexcept;
    unsigned users() const noexcept { return users_; }

    need needs(core::instant now) const noexcept;
    /// When it needs something next; `instant::max()` while it is asked.
    core::instant due() const noexcept;

    /// What it needs is being asked for.
    void sending(core::instant now) noexcept;
    /// The life that the answer names, none for a lease that the server does not know. False when it is lost.
    bool answered(std::chrono::seconds granted) noexcept;
    /// Nobody knows what came of it; nothing, where it was not even sent.
    void unanswered(core::instant now, bool was_sent) noexcept;
    /// The connection was lost: how it is has to be asked.
    void in_doubt() noexcept { is_doubted_ = was_granted(); }
    /// The server says that there is no such lease.
    void lost() noexcept { phase_ = phase::over; }

private:
    enum class phase : std::uint8_t { wanted, granted, over };

    core::instant keepalive_due() const noexcept;

    const std::int64_t id_;
    const std::chrono::seconds ttl_;
    std::chrono::seconds granted_;
    const bool is_shared_;
    phase phase_ = phase::wanted;
    unsigned users_ = 0;
    core::instant idle_since_ = core::instant::min();
    core::instant asked_at_{};
    core::instant alive_from_{};
    core::instant not_before_ = core::instant::min(); ///< the next try, after one that failed
    bool is_asked_ = false;
    bool is_doubted_ = false;
    bool may_exist_ = false; ///< over, but its grant was not answered
};

} // namespace redlock::etcd
