#include "engines/zookeeper/make_engine.hpp"

#include "core/printable.hpp"
#include "engines/zookeeper/zookeeper_engine.hpp"

#include <algorithm>
#include <utility>

namespace redlock::zookeeper {

namespace {

// A write waits for the disks of a majority, which may be busy.
constexpr std::chrono::milliseconds least_session_patience{500};
// So long a holder who died without a word keeps his node, and a client may be cut off without losing
// everything.
constexpr std::chrono::milliseconds session_timeout{6'000};
constexpr std::size_t longest_label = 200;

} // namespace

std::unique_ptr<engine::engine> make_engine(const config& c, const strand& on, core::entropy& random_bits,
                                            turn::turns& t) {
    session_settings session{.patience = std::max(c.node_timeout, least_session_patience),
                             .timeout = session_timeout};
    session.log_in_as = c.credentials;
    settings s{.ensemble = parse_address(c.nodes.front()),
               .session = std::move(session),
               .holder_label = core::printable(c.holder_label, longest_label),
               .max_inflight = c.max_inflight,
               .observer = c.observer,
               .entropy = &random_bits};
    return std::make_unique<zookeeper_engine>(on, std::move(s), t);
}

} // namespace redlock::zookeeper
