#pragma once

#include "core/instant.hpp"
#include "engines/etcd/inquiry.hpp"
#include "engines/etcd/rule/server_leases.hpp"
#include "engines/etcd/rule/transactions.hpp"
#include "engines/etcd/watcher.hpp"

#include <redlock/detail/pool.hpp>

#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <utility>

namespace redlock::etcd {

class claim;
class etcd_engine;

/// The key of a claim that was granted, and the lease of the server that it lives under.
class holding final : public detail::pooled, private tenant, private key_watch {
public:
    holding(etcd_engine& by, const claim& of, stand&& s, server_lease_pointer under, core::instant until,
            std::uint64_t fencing_token);
    ~holding();

    const server_lease_pointer& under() const noexcept { return under_; }
    /// Another lease of the server has it from now on.
    void moved_under(server_lease_pointer other);
    /// It was, and has that fencing token since.
    void was_written(messages::revision at, std::uint64_t token) noexcept;
    /// Nobody knows whether that one has it: it is not to end before the key is known to be under another.
    /// False where that was so before.
    bool in_doubt_under(const server_lease_pointer& other);
    /// It does not, nor will it.
    void not_under(const server_lease& other) noexcept;
    bool is_in_doubt() const noexcept { return !doubted_.empty(); }
    bool may_be_under(const server_lease& one) const noexcept;
    /// To be given back, under all leases that it may be under.
    stand given_back();
    /// It is to be told when somebody else removes the key, once it is held for long enough to care.
    void watch();
    /// Its holder leads, and proclaims this from now on: `where` has the record, with the next version.
    void proclaims(std::string leader_key, std::uint64_t term, std::string_view value);
    /// What he proclaims is to stand there: where that was never confirmed, or somebody has removed it, it is
    /// put there.
    void state_again();

    stand where;
    core::instant
        until; ///< the life that was asked for; behind it the key is given back where nobody asks for more
    std::uint64_t fencing_token; ///< 0 without
    bool shows_token = false;    ///< the value does, since its revision does not any more

private:
    struct occupant final : tenant {
        explicit occupant(server_lease_pointer its) : lease(std::move(its)) { lease->join(*this); }
        void lease_lives() noexcept override {}
        void lease_failed(errc) noexcept override {}
        void lease_is_lost() noexcept override {}

        const server_lease_pointer lease;
    };

    void lease_lives() noexcept override;
    void lease_failed(errc) noexcept override {}
    void lease_is_lost() noexcept override {} // the engine tells of all of them
    void watch_began() noexcept override;
    void key_deleted() noexcept override;

    etcd_engine& engine_;
    const claim& claim_;
    server_lease_pointer under_;
    std::list<occupant> doubted_;
    bool is_watched_ = false;
    inquiry* look_ = nullptr;      ///< whether the key is there
    std::uint64_t version_ = 0;    ///< of what its holder proclaims
    inquiry* statement_ = nullptr; ///< that this is to stand there
};

} // namespace redlock::etcd
