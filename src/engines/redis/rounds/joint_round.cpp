#include "engines/redis/rounds/joint_round.hpp"

#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/rounds/acquire_round.hpp"
#include "engines/redis/rounds/fence_round.hpp"
#include "engines/redis/rounds/release.hpp"
#include "engines/redis/rounds/renew_round.hpp"

#include <algorithm>
#include <cassert>

namespace redlock::redis {

// Apart, so that the list of which kind needs no more than its name.
namespace {

turn::live_list<joint_round<joint_releases>>& list_of(quorum& q, joint_releases) noexcept {
    return q.joint_releases();
}
turn::live_list<joint_round<joint_reads>>& list_of(quorum& q, joint_reads) noexcept {
    return q.joint_reads();
}
turn::live_list<joint_round<joint_renewals>>& list_of(quorum& q, joint_renewals) noexcept {
    return q.joint_renewals();
}
turn::live_list<joint_round<joint_advances>>& list_of(quorum& q, joint_advances) noexcept {
    return q.joint_advances();
}

} // namespace

template <class Kind>
joint_round<Kind>::joint_round(quorum& q, std::span<member* const> members)
    : quorum_(q), size_(static_cast<std::uint32_t>(members.size())) {
    assert(members.size() <= members_.size());
    std::ranges::copy(members, members_.begin());
    std::ranges::transform(members, claims_.begin(), [](const member* m) { return Kind::claim_of(*m); });
}

template <class Kind>
void joint_round<Kind>::start(quorum& q, std::span<member* const> members) {
    auto* const self = new joint_round(q, members);
    list_of(q, Kind()).push_back(*self);
    self->each([](member& m) { m.begin_sending(); });
    command c = self->made();
    ++self->outstanding_; // so that it stays until all are sent
    for (const std::uint32_t index : q.every_node())
        self->send_to(c, index);
    self->each([](member& m) { m.all_sent(); });
    self->one_less();
}

template <class Kind>
auto joint_round<Kind>::made() const -> command {
    return Kind::made(quorum_.encoder(), std::span(claims_).first(size_), std::span(members_).first(size_));
}

template <class Kind>
errc joint_round<Kind>::send(command& c, std::uint32_t index) {
    const addressee back{.receiver = this,
                         .tag = reply_tag::of(index),
                         .deadline = quorum_.deadline(),
                         .cleanup = Kind::is_cleanup};
    const errc refusal = quorum_.session_of(index).send(c, back);
    outstanding_ += refusal == errc{};
    return refusal;
}

template <class Kind>
void joint_round<Kind>::send_to(command& c, std::uint32_t index) {
    if (!Kind::are_taken_by(quorum_.session_of(index)))
        return each([index](member& m) { m.send_alone(index); });
    const errc refusal = send(c, index);
    each([=](member& m) { m.sent_with_others(index, refusal); });
}

template <class Kind>
void joint_round<Kind>::on_reply(reply_tag tag, const resp::reply& reply) noexcept {
    using kind = typename Kind::answer::kind;
    const std::uint32_t index = tag.node();
    session& from = quorum_.session_of(index);
    const auto said = Kind::read(from, tag, reply, size_);
    if (said.what == kind::done) {
        unsigned number = 0;
        each([&](member& m) { Kind::share(m, index, said, number++); });
    } else if (said.what == kind::unknown_form && !Kind::is_sent_again) {
        each([index](member& m) { m.goes_alone(index); });
    } else if (said.what == kind::unknown_form) {
        command again = made();
        if (const errc refusal = send(again, index); refusal != errc{})
            each([=](member& m) { m.failed_with_others(index, refusal); });
    } else if (says_for_the_moment(said.error.meaning)) {
        each([&](member& m) { m.refused_with_others(index, said.error); });
    } else {
        // A right that the script needs and a single command does not, most likely.
        Kind::are_not_taken_by(from);
        each([index](member& m) { m.goes_alone(index); });
    }
    one_less();
}

template <class Kind>
void joint_round<Kind>::on_failure(reply_tag tag, errc why) noexcept {
    each([&](member& m) { m.failed_with_others(tag.node(), why); });
    one_less();
}

// With its share a member may come to its end; nobody has two.
template <class Kind>
template <class Share>
void joint_round<Kind>::each(Share share) noexcept {
    for (std::uint32_t i = 0; i < size_; ++i)
        share(*members_[i]);
}

template <class Kind>
void joint_round<Kind>::one_less() noexcept {
    if (--outstanding_ == 0) delete this;
}

template class joint_round<joint_releases>;
template class joint_round<joint_reads>;
template class joint_round<joint_renewals>;
template class joint_round<joint_advances>;

} // namespace redlock::redis
