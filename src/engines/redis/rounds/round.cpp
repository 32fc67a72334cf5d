#include "engines/redis/rounds/round.hpp"

#include "engines/redis/quorum/quorum.hpp"

namespace redlock::redis {

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
    case errc::tls_failed:
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

void round::fail(std::uint32_t node, errc why) noexcept {
    if (cause_ != errc{} && cause_ != why) mixed_ = true;
    cause_ = why;
    vote(node, core::vote::failed);
}

void round::fail(std::uint32_t node, const server_error& error) noexcept {
    keep(node, error);
    fail(node, error.meaning);
}

void round::keep(std::uint32_t node, const server_error& error) noexcept {
    quorum_.session_of(node).refused(error, quorum_.now());
}

void round::unanswered(reply_tag tag, errc why) noexcept { fail(tag.node(), why); }

void round::reach_verdict() noexcept {
    verdict_ = judge();
    if (verdict_ != core::verdict::open && !closed_) decided();
}

void round::on_failure(reply_tag tag, errc why) noexcept {
    unanswered(tag, why);
    one_less();
}

} // namespace redlock::redis
