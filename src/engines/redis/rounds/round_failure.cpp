#include "engines/redis/rounds/round_failure.hpp"

#include "core/printable.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/rounds/round.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace redlock::redis {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t longest_shown_words = 120;

milliseconds whole(core::nanoseconds time) { return std::chrono::ceil<milliseconds>(time); }

/// Continues a sentence that begins with the node's name.
std::string phrase(errc why, node::health state, milliseconds timeout) {
    switch (why) {
    case errc::node_timeout:
        return fmt::format("{} within {} ms (config::node_timeout)",
                           state == node::health::connecting ? "was not connected" : "did not answer",
                           timeout.count());
    case errc::node_unavailable:
        return "is not connected";
    case errc::authentication_failed:
        return "refused the user or the password";
    case errc::permission_denied:
        return "forbids a command that the lock needs";
    case errc::protocol_error:
        return "does not speak the Redis protocol";
    case errc::node_quarantined:
        return "must not vote yet";
    case errc::duplicate_node:
        return "is the same server as another node";
    case errc::wrong_type:
        return "holds something under this key that is not a lock";
    case errc::out_of_memory:
        return "reached its maxmemory and refuses to write";
    case errc::read_only:
        return "refuses to write: it is a replica, or cannot save";
    case errc::server_error:
        return "answered with an error";
    case errc::tls_failed:
        return "cannot be connected to with TLS";
    default:
        return "gave no vote";
    }
}

std::string words_of(const refusal& said, const node::node& by) {
    if (by.reveals_secret(said.words))
        return fmt::format("{} answered with an error whose words are withheld", by.name());
    return fmt::format("{} answered \"{}\"", by.name(), core::printable(said.words, longest_shown_words));
}

/// Why a node failed in a round. The round has one reason for all of its nodes, or knows that there were
/// several; then it is the latest that is known of the node.
std::string reason_of(const quorum& on, std::uint32_t index, errc common) {
    const session& asked = on.session_of(index);
    const core::nanoseconds timeout = on.node_timeout();
    const node::status known = asked.node().report();
    const std::string_view name = asked.node().name();
    const refusal* const said = asked.last_refusal();
    const bool several = common == errc{};
    const errc unsaid = known.state == node::health::connecting ? errc::node_timeout : errc{};
    const bool is_out = known.state != node::health::ready && known.last_error != errc{};
    const bool just_said = said && on.now() - said->at <= 2 * timeout;
    if (said && (several ? just_said && !is_out : said->why == common)) return words_of(*said, asked.node());
    if (known.last_error != errc{} && (several || known.last_error == common)) return known.last_error_text;
    return fmt::format("{} {}", name, phrase(several ? unsaid : common, known.state, whole(timeout)));
}

/// Of a node that the others did not wait for: it is away, or merely slower than they were.
std::string state_of(const quorum& on, std::uint32_t index) {
    const session& asked = on.session_of(index);
    const node::status known = asked.node().report();
    if (known.state != node::health::ready && known.last_error != errc{}) return known.last_error_text;
    const bool connecting = known.state == node::health::connecting;
    return fmt::format("{} {}", asked.node().name(),
                       connecting ? "was not connected yet" : "had not answered yet");
}

} // namespace

std::string round_failure::describe(std::string_view done) const {
    const core::tally& votes = failed_.votes();
    const std::string instead =
        instead_ ? std::string(done).replace(0, done.find(" the lock"), instead_) : std::string(done);
    std::string text = votes.nodes() == 1
                           ? fmt::format("the only node has not {}", instead)
                           : fmt::format("no majority of the {} nodes has {}", votes.nodes(), instead);
    const char* before = ": ";
    for (std::uint32_t index = 0; index < votes.nodes(); ++index) {
        const bool has_failed = votes.is(index, core::vote::failed);
        if (votes.voted(index) && !has_failed) continue;
        text += std::exchange(before, "; ");
        text += has_failed ? reason_of(quorum_, index, failed_.common_cause()) : state_of(quorum_, index);
    }
    return text;
}

} // namespace redlock::redis
