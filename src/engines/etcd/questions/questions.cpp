// What users may ask: whether a token is the current one; to take a key away; whether others wait.

#include "engines/etcd/questions/holders.hpp"
#include "engines/etcd/questions/question_call.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace redlock::etcd {

namespace {

using messages::range_result;

class check_question final : public cluster_question<seam::no_report> {
public:
    check_question(etcd_engine& of, std::string queue, std::uint64_t token,
                   seam::answer_listener<seam::no_report>& told)
        : cluster_question(of, told), queue_(std::move(queue)), token_(token) {}
    void start() override {
        ask(methods::txn, holders_request(queue_, holders::most_checked), [this](const result& r) {
            if (r.failed) return tell(r.failed->why);
            const auto have_it = read_holders(r.response, queue_, holders::most_checked);
            if (!have_it) return tell(errc::protocol_error);
            if (!have_it->has_token(token_)) return tell(errc::lease_lost);
            tell(seam::no_report{});
        });
    }

private:
    const std::string queue_;
    const std::uint64_t token_;
};

class remove_question final : public cluster_question<break_report> {
public:
    remove_question(etcd_engine& of, key_report shown, seam::answer_listener<break_report>& told)
        : cluster_question(of, told), shown_(std::move(shown)) {}
    void start() override {
        if (shown_.nodes.size() != 1 || shown_.nodes.front().node != engine().name())
            return tell(errc::invalid_option);
        const auto& readers = shown_.nodes.front().readers;
        if (!shown_.holder && (!readers || readers->empty())) return finish(removal::nothing_shown);
        std::string request = request_for_those_shown();
        if (request.empty()) return finish(removal::changed);
        ask(methods::txn, std::move(request), [this](const result& r) {
            if (r.failed) return tell(r.failed->why);
            const auto removed = read_taken_away(r.response);
            if (!removed) return tell(errc::protocol_error);
            finish(*removed > 0 ? removal::removed : removal::changed,
                   shown_.holder ? 0 : static_cast<unsigned>(*removed));
        });
    }

private:
    // What is no name of a try is no key that there is. Who leads has his fencing token for a term.
    std::string request_for_those_shown() const {
        const std::string queue = engine().names().queue(shown_.key);
        if (shown_.holder) {
            const auto its = read_shown_try(*shown_.holder);
            return !its ? std::string()
                        : take_away_request({.key = queue + its->name, .created = its->created},
                                            engine().names().leader(shown_.key),
                                            shown_.nodes.front().fence.value_or(0));
        }
        std::vector<made_key> keys;
        for (const reader_report& each : *shown_.nodes.front().readers) {
            const auto its = read_shown_try(each.value);
            if (!its || keys.size() >= 2 * holders::most_shown) continue;
            keys.push_back({.key = key_names::readers(queue) + its->name, .created = its->created});
            keys.push_back({.key = key_names::downgraded(queue) + its->name, .created = its->created});
        }
        return keys.empty() ? std::string() : take_away_request(keys);
    }
    void finish(removal how, unsigned readers = 0) {
        break_report report{.key = shown_.key, .nodes = {}, .removed = how == removal::removed};
        report.nodes.push_back(
            {.node = engine().name(), .outcome = how, .error = {}, .readers_removed = readers});
        tell(std::move(report));
    }

    const key_report shown_;
};

} // namespace

seam::question_pointer etcd_engine::check(std::string full_key, std::uint64_t fencing_token,
                                          seam::answer_listener<seam::no_report>& listener) {
    return seam::question_pointer(new check_question(*this, names_.queue(full_key), fencing_token, listener));
}

seam::question_pointer etcd_engine::remove(key_report shown, seam::answer_listener<break_report>& listener) {
    return seam::question_pointer(new remove_question(*this, std::move(shown), listener));
}

// Whoever waits has a key of his own there.
void etcd_engine::look_for_others(seam::claim_pointer held, seam::others_listener& listener) {
    const std::string queue = names_.queue(held->full_key.view());
    const auto told = [held, &listener](const result& r) {
        errc why{};
        const auto read = read_reply_of<range_result>(r, why);
        if (read && read->content.count <= 1) listener.nobody_else_waits(held->full_key.view());
    };
    line_.submit(*new inquiry(methods::range,
                              request_of(messages::range_request{
                                  .key = queue, .range_end = key_names::behind(queue), .count_only = true}),
                              told));
}

} // namespace redlock::etcd
