// What users ask of a token, and the lease layer of others who wait.

#include "engines/zookeeper/questions/folder_question.hpp"
#include "engines/zookeeper/wire/limits.hpp"

#include <algorithm>
#include <utility>

namespace redlock::zookeeper {

void zookeeper_engine::look_for_others(seam::claim_pointer held, seam::others_listener& listener) {
    const claim_pointer of = own(std::move(held));
    const auto at = looks_.emplace(looks_.end());
    at->begin(servers_, path_of(*of), false, [this, at, of, &listener](const folder_look::outcome& o) {
        const bool alone =
            std::ranges::all_of(o.seen.nodes, [&](const auto& n) { return n.token == of->token(); });
        looks_.erase(at);
        if (o.why == errc{} && alone) listener.nobody_else_waits(of->full_key);
    });
}

seam::question_pointer zookeeper_engine::check(std::string full_key, std::uint64_t fencing_token,
                                               seam::answer_listener<seam::no_report>& listener) {
    const auto read = [fencing_token](const folder_sight& found, seam::no_report&) {
        const sight& s = found.seen;
        const bool is_holders =
            s.holder && s.node_of(s.holder->token) && s.holder->current_fence(s.written_by) == fencing_token;
        const bool is_current = is_holders || std::ranges::any_of(found.readers, [&](const auto& one) {
                                    return one.fence == fencing_token && s.node_of(one.mark.token);
                                });
        return is_current ? errc{} : errc::lease_lost;
    };
    return seam::question_pointer(new folder_question<seam::no_report>(
        *this, full_key, {.most_marks = most_children}, seam::no_report{}, read, listener));
}

} // namespace redlock::zookeeper
