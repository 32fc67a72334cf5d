#include "engines/redis/rounds/joint_kinds.hpp"

#include "engines/redis/rounds/acquire_round.hpp"
#include "engines/redis/rounds/fence_round.hpp"
#include "engines/redis/rounds/release.hpp"
#include "engines/redis/rounds/renew_round.hpp"

#include <algorithm>

namespace redlock::redis {

const claim* joint_releases::claim_of(const member& m) noexcept { return m.what().get(); }

void joint_releases::share(member& m, std::uint32_t node, const answer& said, unsigned number) {
    m.answered_with_others(node, said.deleted(number));
}

joint_read_command joint_reads::made(encoder& by, std::span<const claim* const> claims,
                                     std::span<member* const> members) {
    return {by, claims, members.front()->life()};
}

const claim* joint_reads::claim_of(const member& m) noexcept { return &m.what(); }

bool joint_reads::is_gone(member& m) noexcept { return m.ends_unsent(); }

bool joint_reads::are_alike(const member& one, const member& other) noexcept {
    return one.life() == other.life();
}

void joint_reads::share(member& m, std::uint32_t node, const answer& said, unsigned number) {
    if (said.held(number))
        m.refused_by_holder(node, said.holder(number));
    else
        m.granted_with_others(node);
}

const claim* joint_renewals::claim_of(const member& m) noexcept { return m.what().get(); }

joint_extend_command joint_renewals::made(encoder& by, std::span<const claim* const> claims,
                                          std::span<member* const> members) {
    return {by, claims, members.front()->life()};
}

bool joint_renewals::is_gone(member& m) noexcept { return m.ends_unsent(); }

bool joint_renewals::are_alike(const member& one, const member& other) noexcept {
    return one.life() == other.life();
}

void joint_renewals::share(member& m, std::uint32_t node, const answer& said, unsigned number) {
    m.answered_with_others(node, said.of(number));
}

const claim* joint_advances::claim_of(const member& m) noexcept { return &m.what(); }

// What one of them asks for is good for all: proposals are arbitrary.
joint_advance_command joint_advances::made(encoder& by, std::span<const claim* const> claims,
                                           std::span<member* const> members) {
    const auto by_proposal = [](const member* one, const member* other) {
        return one->mark().token < other->mark().token;
    };
    return {by, claims, (*std::ranges::max_element(members, by_proposal))->mark()};
}

bool joint_advances::is_gone(member& m) noexcept { return m.ends_unsent(); }

void joint_advances::share(member& m, std::uint32_t node, const answer& said, unsigned number) {
    m.answered_with_others(node, said.of(number), said.fence(number));
}

} // namespace redlock::redis
