// What users may ask: who has a key, whether a token is the current one, how the database is; and to take a
// key away.

#include "engines/sql/postgresql/advisory/questions.hpp"

#include "core/printable.hpp"
#include "engines/sql/holder_label.hpp"
#include "engines/sql/postgresql/advisory/statements.hpp"
#include "engines/sql/postgresql/inquiries.hpp"
#include "engines/sql/postgresql/postgresql_engine.hpp"
#include "engines/sql/wake_bucket.hpp"
#include "turn/outcome.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace redlock::postgresql {

namespace {

constexpr std::size_t longest_token = 64;

/// A question that one statement answers. `Read` makes a report of the answer, and an error of a bad one.
template <class Report>
class table_question final : public seam::question, public detail::pooled {
public:
    using reader = std::function<errc(const sql::answer&, Report&)>;
    table_question(postgresql_engine& of, statement s, Report begun, reader read,
                   seam::answer_listener<Report>& told)
        : engine_(of), asks_(std::move(s)), report_(std::move(begun)), read_(std::move(read)), told_(told) {}

    void start() override {
        inquiry_ =
            new question_inquiry(std::move(asks_), [this](const sql::answer* a, errc why) { take(a, why); });
        engine_.table().submit(*inquiry_);
    }
    void let_go() noexcept override { delete this; }

private:
    ~table_question() {
        if (inquiry_) inquiry_->let_go();
    }
    void take(const sql::answer* a, errc why) {
        inquiry_ = nullptr;
        const errc read = a ? read_(*a, report_) : why;
        const auto more = a ? nullptr : engine_.failure_of(why);
        told_.told(turn::code_of(read), std::move(report_), more.get());
    }

    postgresql_engine& engine_;
    statement asks_;
    Report report_;
    const reader read_;
    seam::answer_listener<Report>& told_;
    question_inquiry* inquiry_ = nullptr;
};

template <class Report, class Read>
seam::question_pointer ask(postgresql_engine& of, statement s, Report begun, Read read,
                           seam::answer_listener<Report>& told) {
    return seam::question_pointer(
        new table_question<Report>(of, std::move(s), std::move(begun), std::move(read), told));
}

void read_row(const sql::answer::row& row, node_key_report& told) {
    const auto left = sql::number_in(sql::cell_of(row, 1));
    if (sql::cell_of(row, 0) && left && *left > 0) {
        told.value = core::printable(*sql::cell_of(row, 0), longest_token);
        told.remaining = std::chrono::milliseconds(*left);
        told.label = sql::label_beside(*sql::cell_of(row, 0), sql::cell_of(row, 4));
    }
    if (const auto fence = sql::number_in(sql::cell_of(row, 2)); fence && *fence > 0)
        told.fence = static_cast<std::uint64_t>(*fence);
    if (const auto waiting = sql::number_in(sql::cell_of(row, 3)); waiting && *waiting >= 0)
        told.listeners = static_cast<std::uint64_t>(*waiting);
}

} // namespace

seam::question_pointer postgresql_engine::check(std::string full_key, std::uint64_t fencing_token,
                                                seam::answer_listener<seam::no_report>& listener) {
    if (locks_are_sessions()) return advisory::refuse_question(listener);
    const auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    const auto token = static_cast<std::int64_t>(fencing_token > most ? 0 : fencing_token);
    const auto read = [](const sql::answer& a, seam::no_report&) {
        return a.rows.empty() ? errc::lease_lost : errc{};
    };
    return ask(*this, is_current(full_key, token), seam::no_report{}, read, listener);
}

seam::question_pointer postgresql_engine::inspect(std::string full_key,
                                                  seam::answer_listener<key_report>& listener) {
    const auto read = [this](const sql::answer& a, key_report& report) {
        node_key_report told;
        told.node = name();
        told.product = "postgresql";
        told.version = table_.behind().version;
        if (a.rows.size() == 1)
            locks_are_sessions() ? advisory::read_look(a.rows.front(), told) : read_row(a.rows.front(), told);
        report.holder = told.value;
        report.holder_label = told.label;
        report.waiting = told.listeners;
        report.nodes.push_back(std::move(told));
        return errc{};
    };
    const std::size_t bucket = sql::wake_bucket(full_key);
    statement s = locks_are_sessions() ? advisory::look(full_key, bucket) : look(full_key, bucket);
    return ask(*this, std::move(s),
               key_report{.key = std::move(full_key), .nodes = {}, .holder = {}, .waiting = {}}, read,
               listener);
}

seam::question_pointer postgresql_engine::remove(key_report shown,
                                                 seam::answer_listener<break_report>& listener) {
    if (locks_are_sessions()) return advisory::refuse_question(listener);
    const bool ours = shown.nodes.size() == 1 && shown.nodes.front().node == name();
    const auto read = [this, ours, had = shown.holder.has_value()](const sql::answer& a,
                                                                   break_report& report) {
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
    statement s = take_away(shown.key, ours ? shown.holder.value_or("") : "");
    return ask(*this, std::move(s), break_report{.key = shown.key, .nodes = {}, .removed = 0}, read,
               listener);
}

} // namespace redlock::postgresql
