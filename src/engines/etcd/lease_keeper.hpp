#pragma once

#include "engines/etcd/inquiry.hpp"
#include "engines/etcd/line/line.hpp"
#include "engines/etcd/line/stream.hpp"
#include "engines/etcd/rule/server_leases.hpp"
#include "time/timer_queue.hpp"
#include "turn/turns.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::etcd {

/// Asks the servers for what the leases of a client need: grants, keepalives over one stream for all of them,
/// in which term the cluster is behind those, and revocations. On the strand.
class lease_keeper final : private time::timer {
public:
    /// `lost`: one of the leases is not there any more, behind its tenants.
    using loss_handler = std::function<void(const server_lease&)>;
    /// `nobodys`: a key that is never there, but which the client may read.
    lease_keeper(turn::turns& t, line& over, core::entropy& random_bits, std::string nobodys,
                 loss_handler lost);
    ~lease_keeper();

    server_leases& leases() noexcept { return leases_; }

    // In a turn.
    /// A member was in that term.
    void saw_term(std::uint64_t term) noexcept {
        if (term_ == 0) term_ = term;
    }
    /// Has them looked at in this turn.
    void look() noexcept { is_to_look_ = true; }
    /// Whoever is a tenant of it hears of a keepalive that is sent from now on, or is under way.
    void refresh(server_lease& one) noexcept;
    /// The server says that there is no such lease.
    void lost(server_lease& one) noexcept;
    void line_serves() noexcept;
    void line_lost() noexcept;
    /// Asks for what is due.
    void send_what_is_due() noexcept;
    /// Those that nobody uses end, but those that are to run out. While a client closes.
    void end_unused() noexcept;
    /// In a forked child: all of them are the parent's.
    void leave() noexcept;
    void stop() noexcept;
    bool has_any() const noexcept { return !leases_.all().empty(); }

private:
    class keepalive_stream;
    class revocation;

    void perform(const server_lease_pointer& one, core::instant now);
    void forget_if_useless(const server_lease& one, core::instant now) noexcept;
    void grant(const server_lease_pointer& one, core::instant now);
    void keep_alive(server_lease& one, core::instant now);
    void revoke(const server_lease_pointer& one);
    void revoked(server_lease& one) noexcept;
    void not_revoked(server_lease& one, const failure& why) noexcept;
    bool too_many_are_owed() const noexcept;
    void granted(server_lease& one, std::string_view response) noexcept;
    void unanswered(server_lease& one, bool in_doubt, errc why) noexcept;
    void kept_alive(std::string_view response) noexcept;
    void ask_for_proof();
    void judge(const std::vector<server_lease_pointer>& unproven, const result& r) noexcept;
    void stream_ended(errc why) noexcept;
    void lives(server_lease& one) noexcept;
    void expired(time::instant) noexcept override { is_to_look_ = true; }

    turn::turns& turns_;
    line& line_;
    const std::string nobodys_;
    const loss_handler lost_;
    server_leases leases_;
    std::uint64_t term_ = 0;                     ///< of the cluster, as a majority had it last
    std::vector<server_lease_pointer> unproven_; ///< whose keepalives were answered in this turn
    std::unique_ptr<keepalive_stream> keepalives_;
    bool is_to_look_ = false;
    bool left_ = false;
};

} // namespace redlock::etcd
