// What users may ask: who has a key, whether a token is the current one; and to take a key away.

#include "engines/memory/memory_engine.hpp"
#include "engines/memory/observation.hpp"
#include "turn/outcome.hpp"

#include <redlock/detail/pool.hpp>

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>

namespace redlock::memory {

namespace seam = redlock::engine;

namespace {

/// Is answered as soon as it is put.
template <class Answer>
class question final : public seam::question, public detail::pooled {
public:
    explicit question(Answer answer) : answer_(std::move(answer)) {}
    void start() override {
        Answer once = std::move(answer_); // for it may let go of this
        once();
    }
    void let_go() noexcept override { delete this; }

private:
    ~question() = default;

    Answer answer_;
};

template <class Answer>
seam::question_pointer make_question(Answer answer) {
    return seam::question_pointer(new question<Answer>(std::move(answer)));
}

constexpr std::size_t most_readers = 64;
constexpr std::string_view held_by_test = "held by a test";

std::string value_of(const tenure& t) {
    if (t.claim == 0) return std::string(held_by_test);
    return t.fencing_token == 0 ? fmt::format("{}", t.claim) : fmt::format("{}:{}", t.claim, t.fencing_token);
}

/// Whose value it is; nothing when it is none that `value_of` gives.
std::optional<tenure> tenure_in(std::string_view value) {
    tenure found{.claim = 0, .fencing_token = 0};
    const char* const end = value.data() + value.size();
    if (value != held_by_test) {
        const auto [behind, error] = std::from_chars(value.data(), end, found.claim);
        if (error == std::errc() && behind != end) std::from_chars(behind + 1, end, found.fencing_token);
    }
    if (value_of(found) != value) return std::nullopt;
    return found;
}

node_key_report report_of(const key_state& state, time::instant now) {
    node_key_report told;
    told.listeners = state.waiting;
    told.readers.emplace();
    for (const reading& one : state.readers) {
        told.more_readers = told.readers->size() == most_readers;
        if (told.more_readers) break;
        told.readers->push_back(
            {.value = value_of({.claim = one.claim, .fencing_token = 0}),
             .remaining = std::chrono::duration_cast<std::chrono::milliseconds>(one.expires - now),
             .label = one.label});
    }
    if (!state.holder) return told;
    told.value = value_of({.claim = *state.holder, .fencing_token = state.fencing_token});
    told.remaining = std::chrono::duration_cast<std::chrono::milliseconds>(state.expires - now);
    if (state.fencing_token != 0) told.fence = state.fencing_token;
    told.label = state.label;
    return told;
}

} // namespace

seam::question_pointer memory_engine::check(std::string full_key, std::uint64_t fencing_token,
                                            seam::answer_listener<seam::no_report>& listener) {
    return make_question([this, key = std::move(full_key), fencing_token, &listener] {
        key_state state;
        errc answer = keys_->look(key, state);
        const bool is_current = fencing_token != 0 && state.fencing_token == fencing_token;
        if (answer == errc{} && !is_current) answer = errc::lease_lost;
        listener.told(turn::code_of(answer), {});
    });
}

seam::question_pointer memory_engine::inspect(std::string full_key,
                                              seam::answer_listener<key_report>& listener) {
    return make_question([this, key = std::move(full_key), &listener] {
        key_state state;
        const errc answer = keys_->look(key, state);
        node_key_report told = report_of(state, turns_.now());
        told.node = node_name();
        if (answer != errc{}) told.error = make_error_code(answer);
        key_report report{
            .key = key, .nodes = {}, .holder = told.value, .waiting = told.listeners, .leader = {}};
        for (const reader_report& one : *told.readers)
            report.readers.push_back(one.value);
        report.nodes.push_back(std::move(told));
        report.leader = std::move(state.leader);
        report.holder_label = std::move(state.label);
        listener.told({}, std::move(report));
    });
}

seam::question_pointer memory_engine::list(std::string beginning, std::size_t most,
                                           seam::answer_listener<key_list>& listener) {
    return make_question([this, begins = std::move(beginning), most, &listener] {
        key_list found;
        const errc answer = keys_->list(begins, most + 1, found.keys);
        found.more = found.keys.size() > most;
        if (found.more) found.keys.pop_back();
        listener.told(turn::code_of(answer), std::move(found));
    });
}

seam::question_pointer memory_engine::observe(std::string full_key, leader_mark known,
                                              seam::answer_listener<leader_info>& listener) {
    return seam::question_pointer(new observation(*this, std::move(full_key), known, listener));
}

seam::question_pointer memory_engine::remove(key_report shown,
                                             seam::answer_listener<break_report>& listener) {
    return make_question([this, shown = std::move(shown), &listener] {
        if (shown.nodes.size() != 1 || shown.nodes.front().node != node_name())
            return listener.told(make_error_code(errc::invalid_option), {});
        node_break_report told{.node = node_name(), .outcome = removal::nothing_shown, .error = {}};
        break_report report{.key = shown.key, .nodes = {}, .removed = 0};
        if (shown.holder) {
            const auto from = tenure_in(*shown.holder);
            const bool removed = from && keys_->take_away(shown.key, from);
            told.outcome = removed ? removal::removed : removal::changed;
            report.removed = removed;
        }
        remove_readers(shown.readers, shown.key, told, report);
        report.nodes.push_back(std::move(told));
        listener.told({}, std::move(report));
    });
}

void memory_engine::remove_readers(const std::vector<std::string>& shown, std::string_view key,
                                   node_break_report& told, break_report& report) {
    for (const std::string& value : shown) {
        const auto one = tenure_in(value);
        told.readers_removed += one && keys_->take_reader_away(key, one->claim);
    }
    if (shown.empty() || told.outcome == removal::removed) return;
    told.outcome = told.readers_removed > 0 ? removal::removed : removal::changed;
    report.removed = told.readers_removed > 0;
}

seam::question_pointer
memory_engine::examine(seam::answer_listener<std::vector<node_examination>>& listener) {
    return make_question([&listener] { listener.told(make_error_code(errc::unsupported), {}); });
}

} // namespace redlock::memory
