#include "engines/etcd/lease_keeper.hpp"

#include "engines/etcd/errands.hpp"
#include "engines/etcd/messages/leases.hpp"
#include "engines/etcd/messages/ranges.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace redlock::etcd {

namespace {

constexpr std::ptrdiff_t most_owed = 1024;

template <class Message>
std::string text_of(const Message& m) {
    std::string text;
    append(text, m);
    return text;
}

} // namespace

class lease_keeper::keepalive_stream final : public stream {
public:
    keepalive_stream(line& over, lease_keeper& of) : stream(methods::lease_keep_alive, over), keeper_(of) {}

private:
    void received(std::string_view message) noexcept override { keeper_.kept_alive(message); }
    void ended(const failure& why) noexcept override { keeper_.stream_ended(why.why); }

    lease_keeper& keeper_;
};

/// Ends a lease, and with it all keys under it.
class lease_keeper::revocation final : public call {
public:
    revocation(const server_lease_pointer& one, lease_keeper& of)
        : call(methods::lease_revoke, text_of(messages::lease_revoke_request{.id = one->id()})),
          one_(one),
          keeper_(of) {}

private:
    void answered(std::string_view, core::instant) noexcept override {
        const std::unique_ptr<revocation> until_told(this);
        keeper_.revoked(*one_);
    }
    void failed(const failure& why) noexcept override {
        const std::unique_ptr<revocation> until_told(this);
        keeper_.not_revoked(*one_, why);
    }

    const server_lease_pointer one_;
    lease_keeper& keeper_;
};

lease_keeper::lease_keeper(turn::turns& t, line& over, core::entropy& random_bits, std::string nobodys,
                           loss_handler lost)
    : turns_(t),
      line_(over),
      nobodys_(std::move(nobodys)),
      lost_(std::move(lost)),
      leases_(random_bits),
      keepalives_(std::make_unique<keepalive_stream>(over, *this)) {}

lease_keeper::~lease_keeper() = default;

void lease_keeper::refresh(server_lease& one) noexcept {
    if (!line_.serves()) return one.tell_all([](tenant& t) { t.lease_failed(errc::node_unavailable); });
    one.hurry();
    look();
}

void lease_keeper::send_what_is_due() noexcept {
    if (!std::exchange(is_to_look_, false) || left_) return;
    const core::instant now = turns_.now();
    ask_for_proof();
    const std::vector<server_lease_pointer> all = leases_.all();
    for (const server_lease_pointer& one : all)
        perform(one, now);
    // Without a connection there is nothing to wait for but that.
    if (line_.serves()) turns_.timers().arm(*this, leases_.due(now));
}

void lease_keeper::perform(const server_lease_pointer& one, core::instant now) {
    switch (one->needs(now)) {
    case server_lease::need::grant:
        return grant(one, now);
    case server_lease::need::keep_alive:
        if (line_.serves()) keep_alive(*one, now);
        return;
    case server_lease::need::revoke:
        if (line_.serves()) revoke(one);
        return;
    case server_lease::need::nothing:
        return forget_if_useless(*one, now);
    }
}

void lease_keeper::forget_if_useless(const server_lease& one, core::instant now) noexcept {
    const bool has_run_out = one.runs_out() && !one.is_alive(now);
    const bool never_was = !one.was_granted() && !one.is_asked();
    if (!one.is_used() && !one.is_condemned() && (one.is_over() || has_run_out || never_was))
        leases_.forget(one);
}

void lease_keeper::grant(const server_lease_pointer& one, core::instant now) {
    one->sending(now, term_);
    const auto told = [this, one](const result& r) {
        if (!r.failed) return granted(*one, r.response);
        unanswered(*one, r.failed->in_doubt, r.failed->why);
    };
    line_.submit(*new inquiry(methods::lease_grant,
                              text_of(messages::lease_grant_request{.life = one->ttl(), .id = one->id()}),
                              told));
}

void lease_keeper::granted(server_lease& one, std::string_view response) noexcept {
    messages::reply<messages::lease_grant_result> read;
    const bool is_read = messages::read(response, read) == messages::fault::none;
    const bool is_granted =
        is_read && read.content.error.empty() && read.content.id == one.id() && read.content.life.count() > 0;
    if (!is_granted) return unanswered(one, true, errc::protocol_error);
    if (!one.granted(read.content.life, read.header.raft_term)) return lost(one);
    lives(one);
}

void lease_keeper::unanswered(server_lease& one, bool in_doubt, errc why) noexcept {
    one.unanswered(turns_.now(), in_doubt);
    look();
    one.tell_all([&](tenant& t) { t.lease_failed(why); });
}

void lease_keeper::keep_alive(server_lease& one, core::instant now) {
    if (!keepalives_->is_open()) keepalives_->open();
    one.sending(now, term_);
    keepalives_->send(text_of(messages::lease_keep_alive_request{.id = one.id()}), true);
}

void lease_keeper::kept_alive(std::string_view response) noexcept {
    messages::reply<messages::lease_keep_alive_result> read;
    if (messages::read(response, read) != messages::fault::none) return;
    const auto& all = leases_.all();
    const auto about = std::ranges::find_if(all, [&](const auto& one) {
        return one->id() == read.content.id && one->is_asked() && one->was_granted() && !one->awaits_proof();
    });
    if (about == all.end()) return;
    const server_lease_pointer one = *about;
    look();
    if (!one->kept_alive(read.content.life)) return lost(*one);
    unproven_.push_back(one);
}

// By a read that a majority has to confirm. Whoever led before cannot answer it.
void lease_keeper::ask_for_proof() {
    if (unproven_.empty()) return;
    const auto told = [this, asked = std::exchange(unproven_, {})](const result& r) { judge(asked, r); };
    line_.submit(*new inquiry(methods::range,
                              text_of(messages::range_request{.key = nobodys_, .count_only = true}), told));
}

void lease_keeper::judge(const std::vector<server_lease_pointer>& unproven, const result& r) noexcept {
    messages::reply<messages::range_result> read;
    const bool is_read = !r.failed && messages::read(r.response, read) == messages::fault::none;
    if (is_read) term_ = read.header.raft_term;
    for (const server_lease_pointer& one : unproven) {
        if (one->is_over()) continue;
        if (is_read) {
            one->proven(read.header.raft_term);
            lives(*one);
        } else {
            unanswered(*one, true, r.failed ? r.failed->why : errc::protocol_error);
        }
    }
}

void lease_keeper::lives(server_lease& one) noexcept {
    look();
    one.tell_all([](tenant& t) { t.lease_lives(); });
}

void lease_keeper::stream_ended(errc why) noexcept {
    look();
    const std::vector<server_lease_pointer> all = leases_.all();
    for (const server_lease_pointer& one : all) {
        if (one->is_asked() && one->was_granted() && !one->awaits_proof()) unanswered(*one, true, why);
    }
}

void lease_keeper::lost(server_lease& one) noexcept {
    one.lost();
    look();
    one.tell_all([](tenant& t) { t.lease_is_lost(); });
    lost_(one);
}

void lease_keeper::revoke(const server_lease_pointer& one) {
    one->revoking();
    line_.submit(*new revocation(one, *this));
}

void lease_keeper::revoked(server_lease& one) noexcept {
    one.lost();
    leases_.forget(one);
}

// One may have hours to live. Of too many some are left to run out, as is one that the server does not end.
void lease_keeper::not_revoked(server_lease& one, const failure& why) noexcept {
    if (why.status == status_code::not_found) {
        if (!one.not_found(turns_.now()) || too_many_are_owed()) return revoked(one);
        return look();
    }
    const bool may_pass = told_as(why.why) == errc::no_quorum;
    if (!may_pass || too_many_are_owed()) return leases_.forget(one);
    one.not_revoked(turns_.now());
    look();
}

bool lease_keeper::too_many_are_owed() const noexcept {
    return std::ranges::count_if(leases_.all(), [](const auto& l) { return l->is_condemned(); }) > most_owed;
}

void lease_keeper::line_serves() noexcept { look(); }

void lease_keeper::line_lost() noexcept {
    disarm();
    leases_.in_doubt();
}

// One that takes nothing along is not worth waiting for a cluster that is away. What is under way may say yet
// that another one is to end.
void lease_keeper::end_unused() noexcept {
    if (left_) return;
    const bool is_away = !line_.serves() && !line_.may_soon_serve();
    const std::vector<server_lease_pointer> all = leases_.all();
    for (const server_lease_pointer& one : all) {
        const bool is_being_granted = one->is_asked() && !one->was_granted();
        if (one->is_used() || one->is_being_revoked() || is_being_granted) continue;
        if (one->is_to_end() && line_.serves() && !one->is_condemned()) revoke(one);
        const bool is_awaited = one->is_to_end() && (!is_away || one->takes_keys_along());
        if (!is_awaited && !line_.is_busy()) leases_.forget(*one);
    }
}

void lease_keeper::leave() noexcept {
    left_ = true;
    disarm();
}

void lease_keeper::stop() noexcept {
    disarm();
    keepalives_->close();
}

} // namespace redlock::etcd
