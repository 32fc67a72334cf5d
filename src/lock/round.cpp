#include "lock/round.hpp"

namespace redlock::lock {

errc round::failure() const noexcept {
    switch (cause_) {
    case errc::authentication_failed:
    case errc::permission_denied:
    case errc::protocol_error:
    case errc::wrong_type:
    case errc::out_of_memory:
    case errc::read_only:
    case errc::node_quarantined:
    case errc::duplicate_node:
    case errc::server_error:
        return mixed_ ? errc::no_quorum : cause_;
    default:
        return errc::no_quorum;
    }
}

void round::begin(unsigned nodes) noexcept {
    tally_ = core::tally(nodes);
    verdict_ = core::verdict::open;
    cause_ = {};
    mixed_ = false;
    closed_ = false;
    sending_ = true;
}

void round::reopen() noexcept {
    verdict_ = core::verdict::open;
    closed_ = false;
    sending_ = true;
}

void round::end_of_sending() noexcept {
    sending_ = false;
    consider();
}

void round::sent(std::uint32_t tag, errc refusal) noexcept {
    if (refusal == errc{})
        one_more();
    else
        unanswered(tag, refusal);
}

void round::vote(std::uint32_t node, core::vote v) noexcept {
    tally_.record(node, v);
    consider();
}

void round::fail(std::uint32_t node, errc why) noexcept {
    if (cause_ != errc{} && cause_ != why) mixed_ = true;
    cause_ = why;
    vote(node, core::vote::failed);
}

void round::unanswered(std::uint32_t tag, errc why) noexcept { fail(node_of(tag), why); }

void round::consider() noexcept {
    if (sending_ || verdict_ != core::verdict::open) return;
    verdict_ = judge();
    if (verdict_ != core::verdict::open && !closed_) decided();
}

void round::on_reply(std::uint32_t tag, const resp::reply& reply) noexcept {
    answered(tag, reply);
    one_less();
}

void round::on_failure(std::uint32_t tag, errc why) noexcept {
    unanswered(tag, why);
    one_less();
}

} // namespace redlock::lock
