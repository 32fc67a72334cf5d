// What users may ask: who has a key, whether a token is the current one.

#include "core/printable.hpp"
#include "engines/zookeeper/questions/marks_look.hpp"
#include "engines/zookeeper/wire/limits.hpp"
#include "engines/zookeeper/zookeeper_engine.hpp"
#include "turn/outcome.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace redlock::zookeeper {

namespace {

constexpr std::size_t longest_label_told = 200;

/// As `key_report` tells of them.
constexpr std::size_t most_readers_told = 64;

using seen_marks = std::vector<marks_look::seen_mark>;

/// A question that a look into a folder answers, and into at most so many marks of readers. `Read` makes a
/// report of what was seen, and an error.
template <class Report>
class folder_question final : public seam::question, public detail::pooled {
public:
    using reader = std::function<errc(const sight&, const seen_marks&, Report&)>;
    folder_question(zookeeper_engine& of, std::string path, std::size_t most_marks, Report begun, reader read,
                    seam::answer_listener<Report>& told)
        : engine_(of),
          path_(std::move(path)),
          most_marks_(most_marks),
          report_(std::move(begun)),
          read_(std::move(read)),
          told_(told) {}

    void start() override {
        look_.begin(engine_.servers(), path_, true, [this](const folder_look::outcome& o) {
            if (o.why != errc{}) return fail(o.why);
            seen_ = o.seen;
            std::vector<reader_mark> marks = seen_.marks;
            if (marks.size() > most_marks_)
                marks.erase(marks.begin() + static_cast<std::ptrdiff_t>(most_marks_), marks.end());
            marks_.begin(engine_.servers(), path_, std::move(marks), [this](errc why, const seen_marks& all) {
                if (why != errc{}) return fail(why);
                const errc read = read_(seen_, all, report_);
                told_.told(turn::code_of(read), std::move(report_));
            });
        });
    }
    void let_go() noexcept override { delete this; }

private:
    ~folder_question() = default;

    void fail(errc why) {
        const auto more = engine_.failure_of(why);
        told_.told(turn::code_of(told_as(why)), std::move(report_), more.get());
    }

    zookeeper_engine& engine_;
    const std::string path_;
    const std::size_t most_marks_;
    Report report_;
    const reader read_;
    seam::answer_listener<Report>& told_;
    folder_look look_;
    sight seen_;
    marks_look marks_;
};

template <class Report, class Read>
seam::question_pointer ask_folder(zookeeper_engine& of, const std::string& full_key, std::size_t most_marks,
                                  Report begun, Read read, seam::answer_listener<Report>& told) {
    return seam::question_pointer(new folder_question<Report>(
        of, of.root() + "/" + folder_name(full_key), most_marks, std::move(begun), std::move(read), told));
}

} // namespace

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
    const auto read = [fencing_token](const sight& s, const seen_marks& readers, seam::no_report&) {
        const bool is_holders =
            s.holder && s.node_of(s.holder->token) && s.holder->current_fence(s.written_by) == fencing_token;
        const bool is_current = is_holders || std::ranges::any_of(readers, [&](const auto& one) {
                                    return one.fence == fencing_token && s.node_of(one.mark.token);
                                });
        return is_current ? errc{} : errc::lease_lost;
    };
    return ask_folder(*this, full_key, most_children, seam::no_report{}, read, listener);
}

seam::question_pointer zookeeper_engine::inspect(std::string full_key,
                                                 seam::answer_listener<key_report>& listener) {
    const auto read = [this](const sight& s, const seen_marks& readers, key_report& report) {
        node_key_report told;
        told.node = name();
        told.product = "zookeeper";
        std::size_t waiting = s.nodes.size();
        if (s.holder) {
            waiting -= s.node_of(s.holder->token) != nullptr;
            told.value = s.holder->token;
            told.fence = s.holder->current_fence(s.written_by);
            told.label = core::printable(s.holder->label, longest_label_told);
        }
        for (const reader_mark& one : s.marks)
            waiting -= s.node_of(one.token) != nullptr;
        told.readers.emplace();
        for (const marks_look::seen_mark& one : readers) {
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
    return ask_folder(*this, key, most_readers_told,
                      key_report{.key = std::move(full_key), .nodes = {}, .holder = {}, .waiting = {}}, read,
                      listener);
}

} // namespace redlock::zookeeper
