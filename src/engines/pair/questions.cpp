// What users may ask: who has a key, whether a token is the current one; and to take a key away.

#include "engines/pair/joint_question.hpp"
#include "engines/pair/pair_engine.hpp"
#include "engines/pair/reports.hpp"

#include <memory>
#include <utility>

namespace redlock::pair {

// Tokens are of the second.
seam::question_pointer pair_engine::check(std::string full_key, std::uint64_t fencing_token,
                                          seam::answer_listener<seam::no_report>& listener) {
    return second_->check(std::move(full_key), fencing_token, listener);
}

seam::question_pointer pair_engine::inspect(std::string full_key,
                                            seam::answer_listener<key_report>& listener) {
    const auto put = [&](seam::engine& whom, seam::answer_listener<key_report>& hears) {
        return whom.inspect(full_key, hears);
    };
    const auto join = [](key_report&& one, key_report&& other) {
        return joined(std::move(one), std::move(other));
    };
    return ask_both<key_report>(*first_, *second_, put, join, listener);
}

seam::question_pointer pair_engine::list(std::string beginning, std::size_t most,
                                         seam::answer_listener<key_list>& listener) {
    const auto put = [&](seam::engine& whom, seam::answer_listener<key_list>& hears) {
        return whom.list(beginning, most, hears);
    };
    const auto join = [most](key_list&& one, key_list&& other) {
        return joined(std::move(one), std::move(other), most);
    };
    return ask_both<key_list>(*first_, *second_, put, join, listener);
}

// Each deletes what was shown of itself, and refuses a report that is not of it.
seam::question_pointer pair_engine::remove(key_report shown, seam::answer_listener<break_report>& listener) {
    auto [of_first, of_second] = parted(std::move(shown), nodes_of_first());
    const auto put = [&](seam::engine& whom, seam::answer_listener<break_report>& hears) {
        return whom.remove(std::move(&whom == first_.get() ? of_first : of_second), hears);
    };
    const auto join = [](break_report&& one, break_report&& other) {
        return joined(std::move(one), std::move(other));
    };
    return ask_both<break_report>(*first_, *second_, put, join, listener);
}

seam::question_pointer pair_engine::examine(seam::answer_listener<std::vector<node_examination>>& listener) {
    const auto put = [](seam::engine& whom, seam::answer_listener<std::vector<node_examination>>& hears) {
        return whom.examine(hears);
    };
    using found = std::vector<node_examination>;
    const auto join = [](found&& one, found&& other) { return joined(std::move(one), std::move(other)); };
    return ask_both<found>(*first_, *second_, put, join, listener);
}

std::size_t pair_engine::nodes_of_first() const {
    metrics_snapshot counts;
    first_->report(counts);
    return counts.nodes.size();
}

void pair_engine::report(metrics_snapshot& to) const {
    first_->report(to);
    metrics_snapshot of_second;
    second_->report(of_second);
    add(to, std::move(of_second));
}

} // namespace redlock::pair
