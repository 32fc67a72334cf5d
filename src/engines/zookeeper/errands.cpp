#include "engines/zookeeper/errands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace redlock::zookeeper {

std::string ensemble_failure::describe(std::string_view done) const {
    return fmt::format("ZooKeeper has not {}: {}", done, sentence_);
}

std::size_t first_fault(const std::vector<operation_result>& all) noexcept {
    const auto at = std::ranges::find_if(all, [](const operation_result& one) {
        return one.failed != fault::none && one.failed != fault::undone;
    });
    return static_cast<std::size_t>(at - all.begin());
}

fault fault_in(const std::vector<operation_result>& all) noexcept {
    const std::size_t at = first_fault(all);
    if (at < all.size()) return all[at].failed;
    const bool undone = std::ranges::any_of(all, [](const auto& one) { return one.failed != fault::none; });
    return undone ? fault::undone : fault::none;
}

// Whoever asked may let go of this when it is told, or later.
void errand_of_claim::answer(engine::outcome how, core::instant sent_at, errc why,
                             const engine::failure* more) noexcept {
    sent = false;
    if (!is_let_go_) {
        telling_ = true;
        tell(how, sent_at, told_as(why), more);
        telling_ = false;
    }
    if (is_let_go_) delete this;
}

void errand_of_claim::let_go() noexcept {
    is_let_go_ = true;
    if (!sent && !telling_) delete this;
}

} // namespace redlock::zookeeper
