// What users may ask: who has a key, whether a token is the current one, how the database is; and to take a
// key away.

#include "engines/sql/inquiries.hpp"
#include "engines/sql/table_engine.hpp"
#include "turn/outcome.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace redlock::sql {

namespace {

/// A question that one statement answers. `Read` makes a report of the answer, and an error of a bad one.
template <class Report>
class table_question final : public seam::question, public detail::pooled {
public:
    using reader = std::function<errc(const answer&, Report&)>;
    table_question(table_engine& of, statement s, Report begun, reader read,
                   seam::answer_listener<Report>& told)
        : engine_(of), asks_(std::move(s)), report_(std::move(begun)), read_(std::move(read)), told_(told) {}

    void start() override {
        inquiry_ =
            new question_inquiry(std::move(asks_), [this](const answer* a, errc why) { take(a, why); });
        engine_.table().submit(*inquiry_);
    }
    void let_go() noexcept override { delete this; }

private:
    ~table_question() {
        if (inquiry_) inquiry_->let_go();
    }
    void take(const answer* a, errc why) {
        inquiry_ = nullptr;
        const errc read = a ? read_(*a, report_) : why;
        const auto more = a ? nullptr : engine_.failure_of(why);
        told_.told(turn::code_of(read), std::move(report_), more.get());
    }

    table_engine& engine_;
    statement asks_;
    Report report_;
    const reader read_;
    seam::answer_listener<Report>& told_;
    question_inquiry* inquiry_ = nullptr;
};

template <class Report, class Read>
seam::question_pointer ask(table_engine& of, statement s, Report begun, Read read,
                           seam::answer_listener<Report>& told) {
    return seam::question_pointer(
        new table_question<Report>(of, std::move(s), std::move(begun), std::move(read), told));
}

/// Of a kind that does not go with locks of a session: nothing is kept of tokens, and what one session has
/// locked no other can free.
template <class Report>
class refused_question final : public seam::question, public detail::pooled {
public:
    explicit refused_question(seam::answer_listener<Report>& told) : told_(told) {}
    void start() override { told_.told(turn::code_of(errc::unsupported), Report()); }
    void let_go() noexcept override { delete this; }

private:
    ~refused_question() = default;

    seam::answer_listener<Report>& told_;
};

template <class Report>
seam::question_pointer refuse_question(seam::answer_listener<Report>& listener) {
    return seam::question_pointer(new refused_question<Report>(listener));
}

} // namespace

seam::question_pointer table_engine::check(std::string full_key, std::uint64_t fencing_token,
                                           seam::answer_listener<seam::no_report>& listener) {
    if (locks_are_sessions()) return refuse_question(listener);
    const auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    const auto token = static_cast<std::int64_t>(fencing_token > most ? 0 : fencing_token);
    const auto read = [](const answer& a, seam::no_report&) {
        return a.rows.empty() ? errc::lease_lost : errc{};
    };
    return ask(*this, dialect().is_current(full_key, token), seam::no_report{}, read, listener);
}

seam::question_pointer table_engine::inspect(std::string full_key,
                                             seam::answer_listener<key_report>& listener) {
    const auto read = [this](const answer& a, key_report& report) {
        node_key_report told;
        told.node = name();
        told.product = dialect().product();
        told.version = table_.behind().version;
        if (a.rows.size() == 1) dialect().read_look(a.rows.front(), told);
        report.holder = told.value;
        report.holder_label = told.label;
        report.waiting = told.listeners;
        report.nodes.push_back(std::move(told));
        return errc{};
    };
    statement s = dialect().look(full_key);
    return ask(*this, std::move(s),
               key_report{.key = std::move(full_key), .nodes = {}, .holder = {}, .waiting = {}}, read,
               listener);
}

seam::question_pointer table_engine::remove(key_report shown, seam::answer_listener<break_report>& listener) {
    if (locks_are_sessions()) return refuse_question(listener);
    const bool ours = shown.nodes.size() == 1 && shown.nodes.front().node == name();
    const auto read = [this, ours, had = shown.holder.has_value()](const answer& a, break_report& report) {
        if (!ours) return errc::invalid_option;
        const bool removed = !a.rows.empty();
        report.removed = removed;
        report.nodes.push_back({.node = name(),
                                .outcome = !had      ? removal::nothing_shown
                                           : removed ? removal::removed
                                                     : removal::changed,
                                .error = {}});
        return errc{};
    };
    statement s = dialect().take_away(shown.key, ours ? shown.holder.value_or("") : "");
    return ask(*this, std::move(s), break_report{.key = shown.key, .nodes = {}, .removed = 0}, read,
               listener);
}

} // namespace redlock::sql
