#pragma once

#include "core/instant.hpp"

#include <redlock/error.hpp>

#include <boost/intrusive/list.hpp>

#include <chrono>
#include <cstdint>

namespace redlock::etcd {

/// How long a lease of the server has to live for keys that are to live so long: whole seconds, at least 2.
std::chrono::seconds server_ttl_for(std::chrono::milliseconds life) noexcept;

struct tenant_tag;
using tenant_hook =
    boost::intrusive::list_base_hook<boost::intrusive::tag<tenant_tag>,
                                     boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

/// Somebody who has a key under a lease of the server, or is to have one. Told in a turn; it may leave then,
/// and so may others.
class tenant : public tenant_hook {
public:
    /// A grant or a keepalive was answered.
    virtual void lease_lives() noexcept = 0;
    /// It was not, or could not be asked for; what there is of the lease goes on.
    virtual void lease_failed(errc why) noexcept = 0;
    /// The server does not know it any more: whatever was under it is gone.
    virtual void lease_is_lost() noexcept = 0;

    bool is_tenant() const noexcept { return tenant_hook::is_linked(); }
    void move_out() noexcept { tenant_hook::unlink(); }

protected:
    ~tenant() = default;
};

/// One lease of the server, under which keys live: how long they do for sure, and what to ask the server for.
/// It is told what was asked and answered, and the time. A life counts from the sending of the last grant or
/// keepalive that was answered, for the server began it no earlier.
///
/// Members count the life of leases by themselves, and each believes to lead until it hears of another. One
/// that has stood still answers keepalives when it goes on, and has leases revoked whose life is over as it
/// counts it, whatever those who lead since have promised (etcd #15247; 3.5.16 asks whether it leads, but not
/// while its clock ticks, which it does at once). But it knows none that was granted behind its own term. So
/// a keepalive makes a life longer only where the cluster is proven, behind its answer, to be in the term in
/// which it was before the lease was granted. Behind that term the lease is outlived, and keys move.
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
    /// The term has passed in which it was granted: nothing makes its life longer for sure.
    bool is_outlived() const noexcept { return is_outlived_; }
    /// From when on a key under it that was asked for at `asked_at` has that life for sure: before the asking
    /// where the lease ends earlier.
    core::instant sent_at(core::instant asked_at, std::chrono::milliseconds life) const noexcept;

    void join(tenant& t) noexcept {
        if (t.is_tenant()) t.move_out();
        tenants_.push_back(t);
    }
    bool is_used() const noexcept { return !tenants_.empty(); }
    /// Tells everybody who is there.
    template <class Tell>
    void tell_all(Tell tell) noexcept {
        tenants untold;
        untold.swap(tenants_);
        while (!untold.empty()) {
            tenant& t = untold.front();
            untold.pop_front();
            tenants_.push_back(t);
            tell(t);
        }
    }

    /// Something may still come that was to be written under it, and is void as long as it lives.
    void bury() noexcept { ++graves_; }
    /// It ends, or is to, for there are so many of these, once those who have keys under it are done: nobody
    /// else is to come.
    bool is_retired() const noexcept { return is_condemned() || is_outlived_ || graves_ >= most_graves; }
    bool has_graves() const noexcept { return graves_ > 0; }
    /// Whether it is left to run out by itself, rather than kept alive or revoked.
    void runs_out(bool it_does) noexcept { runs_out_ = it_does; }
    bool runs_out() const noexcept { return runs_out_; }
    /// Keys under it are left to its end: nobody deletes them.
    void take_keys_along() noexcept { takes_keys_along_ = true; }
    bool takes_keys_along() const noexcept { return takes_keys_along_; }

    need needs(core::instant now) noexcept;
    /// When it needs something next; `instant::max()` while it is asked.
    core::instant due(core::instant now) noexcept;
    /// It is to be kept alive now, whenever that was last done.
    void hurry() noexcept { is_hurried_ = true; }

    /// What it needs is being asked for. `term`: in which the cluster was for sure, before; 0 where nobody
    /// knows.
    void sending(core::instant now, std::uint64_t term) noexcept;
    /// The life, and the term, that the answer to a grant names. False when it is lost.
    bool granted(std::chrono::seconds life, std::uint64_t term) noexcept;
    /// The life that the answer to a keepalive names, none for a lease that the server does not know. False
    /// when it is lost. Else the proof is to be asked for.
    bool kept_alive(std::chrono::seconds life) noexcept;
    bool awaits_proof() const noexcept { return awaits_proof_; }
    /// A majority was in that term behind the answer.
    void proven(std::uint64_t term) noexcept;
    /// Nobody knows what came of it; nothing, where it was not even sent.
    void unanswered(core::instant now, bool was_sent) noexcept;
    /// Its revocation is being asked for. From then on nobody comes and nothing keeps it alive, for one that
    /// was not answered may be carried out at any time.
    void revoking() noexcept { end_ = end::asked_for; }
    /// Nobody knows whether it was carried out: it is to be asked for again.
    void not_revoked(core::instant now) noexcept;
    /// The server says that there is no such lease to revoke. Of one whose grant was not answered that is not
    /// final before long: the grant may be on its way yet. False when there is nothing left to ask for.
    bool not_found(core::instant now) noexcept;
    bool is_being_revoked() const noexcept { return end_ == end::asked_for; }
    bool is_condemned() const noexcept { return end_ != end::no_matter; }
    /// There is something to revoke, or may be, and it was not looked for in vain.
    bool is_to_end() const noexcept {
        return phase_ == phase::granted ? !runs_out_ : may_exist_ && !was_not_found_;
    }
    /// The connection was lost: how it is has to be asked.
    void in_doubt() noexcept { is_doubted_ = was_granted(); }
    /// The server says that there is no such lease.
    void lost() noexcept {
        if (was_granted()) is_asked_ = awaits_proof_ = false;
        phase_ = phase::over;
    }

private:
    using tenants = boost::intrusive::list<tenant, boost::intrusive::base_hook<tenant_hook>,
                                           boost::intrusive::constant_time_size<false>>;
    static constexpr unsigned most_graves = 256;

    enum class phase : std::uint8_t { wanted, granted, over };
    enum class end : std::uint8_t { no_matter, asked_for, owed };

    core::instant keepalive_due() const noexcept;
    core::nanoseconds pause() const noexcept;
    core::instant end_of_use() const noexcept;

    const std::int64_t id_;
    const std::chrono::seconds ttl_;
    std::chrono::seconds granted_;
    const bool is_shared_;
    phase phase_ = phase::wanted;
    tenants tenants_;
    core::instant idle_since_ = core::instant::max(); ///< while nobody is there
    core::instant asked_at_{};
    core::instant alive_from_{}; ///< for sure
    core::instant kept_from_{};  ///< as far as the answers go
    std::uint64_t term_ = 0;
    bool is_outlived_ = false;
    bool awaits_proof_ = false;
    core::instant not_before_ = core::instant::min(); ///< the next try, after one that failed
    bool is_asked_ = false;
    bool is_doubted_ = false;
    bool is_hurried_ = false;
    bool runs_out_ = false;
    bool takes_keys_along_ = false;
    end end_ = end::no_matter;
    unsigned graves_ = 0;
    bool may_exist_ = false;     ///< over, but its grant was not answered
    bool was_not_found_ = false; ///< not yet
    core::instant may_come_until_{};
};

} // namespace redlock::etcd
