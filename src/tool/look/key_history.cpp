#include "look/key_history.hpp"

#include <fmt/format.h>

#include <utility>

namespace redlock::tool {

std::string key_history::update(const verdict& found, time_point now) {
    const bool holder_counts = found.state == key_state::held;
    const bool same =
        known_ && found.state == last_.state && (!holder_counts || found.holder == last_.holder);
    const bool proclaims =
        holder_counts && same && found.leader && (!last_.leader || found.leader->mark != last_.leader->mark);
    const bool directly = known_ && last_.state == key_state::held;
    std::string text = text_of(found);
    bool news = !same || proclaims;
    if (same && found.answers != last_.answers) {
        text += fmt::format(", {} answer", found.answers);
        news = true;
    }
    if (const std::uint64_t waiting = found.waiting.value_or(0); waiting != last_.waiting.value_or(0)) {
        text += fmt::format(", {} waiting", waiting);
        news = true;
    }
    news = news || found.readers != last_.readers || found.more_readers != last_.more_readers;
    last_ = found;
    if (same) return news ? text : "";
    known_ = true;
    since_ = now;
    if (!holder_counts) return text;
    const bool changed = !former_holder_.empty() && former_holder_ != found.holder;
    former_holder_ = found.holder;
    const std::string former = std::exchange(former_name_, holder_of(found));
    handoffs_ += changed;
    return changed && directly ? fmt::format("{}, handed over by {}", text, former) : text;
}

} // namespace redlock::tool
