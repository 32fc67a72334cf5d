// Who has a key, who waits for it, and what its leader proclaims.

#include "core/printable.hpp"
#include "engines/zookeeper/questions/folder_question.hpp"

#include <redlock/key_report.hpp>

#include <utility>

namespace redlock::zookeeper {

namespace {

constexpr std::size_t longest_label_told = 200;
/// As `key_report` tells of them.
constexpr std::size_t most_readers_told = 64;

} // namespace

seam::question_pointer zookeeper_engine::inspect(std::string full_key,
                                                 seam::answer_listener<key_report>& listener) {
    const auto read = [this](const folder_sight& found, key_report& report) {
        const sight& s = found.seen;
        node_key_report told;
        told.node = name();
        told.product = "zookeeper";
        std::size_t waiting = s.nodes.size();
        if (s.holder) {
            waiting -= s.node_of(s.holder->token) != nullptr;
            told.value = s.holder->token;
            told.fence = s.holder->current_fence(s.written_by);
            told.label = core::printable(s.holder->label, longest_label_told);
            if (found.leader && found.leader->mark.term == told.fence) report.leader = found.leader;
        }
        for (const reader_mark& one : s.marks)
            waiting -= s.node_of(one.token) != nullptr;
        told.readers.emplace();
        for (const marks_look::seen_mark& one : found.readers) {
            told.readers->push_back({.value = one.mark.token,
                                     .remaining = one.mark.life,
                                     .label = core::printable(one.label, longest_label_told)});
            report.readers.push_back(one.mark.token);
        }
        told.more_readers = s.marks.size() > most_readers_told;
        told.listeners = waiting;
        report.holder = told.value;
        report.holder_label = told.label;
        report.waiting = waiting;
        report.nodes.push_back(std::move(told));
        return errc{};
    };
    const std::string key = full_key;
    return seam::question_pointer(new folder_question<key_report>(
        *this, key, {.most_marks = most_readers_told, .reads_leader = true},
        key_report{.key = std::move(full_key), .nodes = {}, .holder = {}, .waiting = {}}, read, listener));
}

} // namespace redlock::zookeeper
