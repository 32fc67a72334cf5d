#include "engines/redis/rounds/joint_release.hpp"

#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/rounds/release.hpp"

#include <algorithm>
#include <cassert>

namespace redlock::redis {

joint_release::joint_release(quorum& q, std::span<release* const> members)
    : quorum_(q), size_(static_cast<std::uint32_t>(members.size())) {
    assert(members.size() <= members_.size());
    std::ranges::copy(members, members_.begin());
    std::ranges::transform(members, claims_.begin(), [](const release* r) { return r->what().get(); });
}

void joint_release::start(quorum& q, std::span<release* const> members) {
    auto* const self = new joint_release(q, members);
    q.joint_releases().push_back(*self);
    self->each([](release& r) { r.begin_sending(); });
    joint_release_command c = self->command();
    ++self->outstanding_; // so that it stays until all are sent
    for (const std::uint32_t index : q.every_node())
        self->send_to(c, index);
    self->each([](release& r) { r.all_sent(); });
    self->one_less();
}

joint_release_command joint_release::command() {
    return joint_release_command(quorum_.encoder(), std::span(claims_).first(size_));
}

errc joint_release::send(joint_release_command& c, std::uint32_t index) {
    const addressee back{
        .receiver = this, .tag = reply_tag::of(index), .deadline = quorum_.deadline(), .cleanup = true};
    const errc refusal = quorum_.session_of(index).send(c, back);
    outstanding_ += refusal == errc{};
    return refusal;
}

void joint_release::send_to(joint_release_command& c, std::uint32_t index) {
    if (!quorum_.session_of(index).joins_releases())
        return each([index](release& r) { r.send_alone(index); });
    const errc refusal = send(c, index);
    each([=](release& r) { r.sent_with_others(index, refusal); });
}

void joint_release::on_reply(reply_tag tag, const resp::reply& reply) noexcept {
    using kind = joint_release_answer::kind;
    const std::uint32_t index = tag.node();
    session& from = quorum_.session_of(index);
    const joint_release_answer said = from.answer_to_joint_release(tag, reply, size_);
    if (said.what == kind::done) {
        std::uint32_t number = 0;
        each([&](release& r) { r.answered_with_others(index, said.deleted(number++)); });
    } else if (said.what == kind::unknown_form) {
        joint_release_command again = command();
        if (const errc refusal = send(again, index); refusal != errc{})
            each([=](release& r) { r.failed_with_others(index, refusal); });
    } else if (says_for_the_moment(said.error.meaning)) {
        each([&](release& r) { r.refused_with_others(index, said.error); });
    } else {
        // A right that the script needs and a single release does not, most likely.
        from.cannot_join_releases();
        each([index](release& r) { r.goes_alone(index); });
    }
    one_less();
}

void joint_release::on_failure(reply_tag tag, errc why) noexcept {
    each([&](release& r) { r.failed_with_others(tag.node(), why); });
    one_less();
}

// With its share a release may come to its end; nobody has two.
template <class Share>
void joint_release::each(Share share) noexcept {
    for (std::uint32_t i = 0; i < size_; ++i)
        share(*members_[i]);
}

void joint_release::one_less() noexcept {
    if (--outstanding_ == 0) delete this;
}

} // namespace redlock::redis
