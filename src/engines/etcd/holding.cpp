#include "engines/etcd/holding.hpp"

#include "core/election/leader_record.hpp"
#include "engines/etcd/etcd_engine.hpp"

#include <algorithm>

namespace redlock::etcd {

holding::holding(etcd_engine& by, const claim& of, stand&& s, server_lease_pointer under, core::instant ends,
                 std::uint64_t token)
    : where(std::move(s)),
      until(ends),
      fencing_token(token),
      engine_(by),
      claim_(of),
      under_(std::move(under)) {
    under_->join(*this);
    // It ends where nobody asks for more.
    if (!under_->is_shared()) under_->runs_out(true);
}

holding::~holding() {
    if (look_) look_->let_go();
    if (statement_) statement_->let_go();
}

void holding::moved_under(server_lease_pointer other) {
    under_->runs_out(false);
    under_ = std::move(other);
    under_->join(*this);
    doubted_.clear();
    if (!under_->is_shared()) under_->runs_out(true);
}

// Answers may come in another order.
void holding::was_written(messages::revision at, std::uint64_t token) noexcept {
    if (at <= where.modified) return;
    where.modified = at;
    fencing_token = token;
    shows_token = token != 0 && token != static_cast<std::uint64_t>(at);
}

bool holding::in_doubt_under(const server_lease_pointer& other) {
    if (std::ranges::find(doubted_, other, &occupant::lease) != doubted_.end()) return false;
    doubted_.emplace_back(other);
    return true;
}

void holding::not_under(const server_lease& other) noexcept {
    doubted_.remove_if([&](const occupant& o) { return o.lease.get() == &other; });
}

bool holding::may_be_under(const server_lease& one) const noexcept {
    return under_.get() == &one ||
           std::ranges::any_of(doubted_, [&](const occupant& o) { return o.lease.get() == &one; });
}

stand holding::given_back() {
    for (const occupant& each : doubted_)
        where.others.push_back(each.lease);
    return std::move(where);
}

// From its own revision, not the next: a removal in the very revision that the cluster is compacted to is not
// told by servers before 3.5.19, but that what was before is forgotten is.
void holding::watch() {
    if (std::exchange(is_watched_, true)) return;
    engine_.watches().watch(*this, where.key, where.created);
}

// What the server remembers does not reach back to when the key was made.
void holding::watch_began() noexcept {
    if (sees_all() || look_) return;
    const auto told = [this](const result& r) {
        look_ = nullptr;
        const auto is_there = r.failed ? std::nullopt : read_looked(r.response, where);
        if (is_there == false) engine_.holding_is_gone(claim_);
    };
    look_ = new inquiry(methods::txn, look_request(where), told);
    look_->is_known_at(look_);
    engine_.line().submit(*look_);
}

void holding::proclaims(std::string leader_key, std::uint64_t term, std::string_view value) {
    where.leader = std::move(leader_key);
    where.record = core::leader_record({.term = term, .version = ++version_}, value);
}

// Late, it changes nothing: neither does it put back what was given back, nor what was proclaimed before.
void holding::state_again() {
    if (where.leader.empty() || statement_) return;
    const auto told = [this](const result& r) {
        statement_ = nullptr;
        if (!r.failed && read_proclaimed(r.response, where) == proclaimed::key_was_gone)
            engine_.holding_is_gone(claim_);
    };
    statement_ = new inquiry(methods::txn, proclaim_request(where, under_->id()), told);
    statement_->is_known_at(statement_);
    engine_.line().submit(*statement_);
}

void holding::lease_lives() noexcept {
    if (under_->is_shared() && until < engine_.turns().now()) engine_.give_back(claim_);
}

void holding::key_deleted() noexcept { engine_.holding_is_gone(claim_); }

} // namespace redlock::etcd
