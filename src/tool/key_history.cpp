#include "key_history.hpp"

#include <fmt/format.h>

#include <utility>

namespace redlock::tool {

std::string key_history::update(const verdict& found, time_point now) {
    const bool holder_counts = found.state == key_state::held;
    const bool same =
        known_ && found.state == last_.state && (!holder_counts || found.holder == last_.holder);
    const bool directly = known_ && last_.state == key_state::held;
    const bool missed = found.answers != last_.answers;
    last_ = found;
    if (same) return known_ && missed ? text_of(found) + fmt::format(", {} answer", found.answers) : "";
    known_ = true;
    since_ = now;
    if (!holder_counts) return text_of(found);
    const bool changed = !former_holder_.empty() && former_holder_ != found.holder;
    const std::string former = std::exchange(former_holder_, found.holder);
    if (!changed) return text_of(found);
    ++handoffs_;
    return directly ? fmt::format("{}, handed over by {}", text_of(found), former) : text_of(found);
}

} // namespace redlock::tool
