// How a database is, for its operator: asked over the session of locks, one question behind the other.

#include "core/printable.hpp"
#include "engines/sql/inquiries.hpp"
#include "engines/sql/table_engine.hpp"
#include "turn/outcome.hpp"

#include <redlock/detail/pool.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace redlock::sql {

namespace {

constexpr std::size_t questions = 9; ///< of each a round trip is known
constexpr std::size_t longest_setting = 64;

using examinations = std::vector<node_examination>;

class examine_question final : public seam::question, public detail::pooled {
public:
    examine_question(table_engine& of, seam::answer_listener<examinations>& told) : engine_(of), told_(told) {
        found_.node = of.name();
        found_.product = of.dialect().product();
        rights_ = of.dialect().rights();
        probes_ = of.dialect().probes_of_rights();
    }
    void start() override { ask(); }
    void let_go() noexcept override { delete this; }

private:
    ~examine_question() {
        if (inquiry_) inquiry_->let_go();
    }

    void ask() {
        asked_at_ = engine_.turns().now();
        time_of_day_ = engine_.turns().clock().time_of_day();
        inquiry_ = new question_inquiry(engine_.dialect().state(engine_.table().behind()),
                                        [this](const answer* a, errc why) { take(a, why); });
        engine_.table().submit(*inquiry_);
    }
    void take(const answer* a, errc why) {
        inquiry_ = nullptr;
        if (!a || a->rows.size() != 1) return fail(a ? errc::protocol_error : why);
        note(a->rows.front());
        if (++asked_ < questions) return ask();
        go_on();
    }
    void go_on() {
        if (probed_ == probes_.size()) return finish();
        inquiry_ = new question_inquiry(probes_[probed_], [this](const answer*, errc why) {
            inquiry_ = nullptr;
            // One that fails for another reason says nothing of the right.
            if (why == errc::permission_denied) lacks(rights_[probed_]);
            ++probed_;
            go_on();
        });
        engine_.table().submit(*inquiry_);
    }
    void lacks(const std::string& rule) {
        found_.missing_rights.push_back({.needed_for = purpose::locking, .rule = rule, .no_command = false});
    }
    void note(const answer::row& row) {
        const core::nanoseconds trip = engine_.turns().now() - asked_at_;
        trips_[asked_] = trip;
        const auto number = [&](std::size_t column) { return number_in(cell_of(row, column)); };
        if (const auto server = number(0);
            server && (!found_.clock || trip < 2 * found_.clock->uncertainty)) {
            const std::chrono::nanoseconds here = time_of_day_.time_since_epoch() + trip / 2;
            // Beyond the years that a time of nanoseconds has there is no clock.
            constexpr std::int64_t latest = 9'000'000'000'000'000;
            const std::chrono::nanoseconds there =
                std::chrono::microseconds(std::clamp<std::int64_t>(*server, 0, latest));
            found_.clock = clock_offset{.ahead = there - here, .uncertainty = trip / 2};
        }
        if (asked_ > 0) return;
        constexpr std::int64_t longest_uptime = std::int64_t{1} << 33;
        if (const auto up = number(1))
            found_.uptime = std::chrono::seconds(std::clamp<std::int64_t>(*up, 0, longest_uptime));
        const auto setting = [&](std::size_t column) {
            return core::printable(cell_of(row, column).value_or(""), longest_setting);
        };
        found_.append_only = setting(3) == "on";
        found_.append_fsync = setting(2);
        for (std::size_t i = 0; i < rights_.size(); ++i)
            if (number(4 + i).value_or(1) == 0) lacks(rights_[i]);
    }
    void fail(errc why) {
        found_.error = make_error_code(why);
        found_.error_text = engine_.sentence_of(why);
        if (why == errc::permission_denied)
            for (const std::string& rule : engine_.table().missing_rights())
                lacks(rule);
        tell();
    }
    void finish() {
        std::ranges::sort(trips_);
        found_.least_round_trip = trips_.front();
        found_.median_round_trip = trips_[questions / 2];
        found_.version = engine_.table().behind().version;
        found_.role = "master";
        found_.run_id = engine_.dialect().identity_of(engine_.table().behind());
        if (engine_.table().guard().is_closed(engine_.turns().now())) {
            found_.refusal = make_error_code(errc::node_quarantined);
            found_.refusal_text = engine_.sentence_of(errc::node_quarantined);
        }
        tell();
    }
    void tell() {
        examinations all;
        all.push_back(std::move(found_));
        told_.told({}, std::move(all));
    }

    table_engine& engine_;
    seam::answer_listener<examinations>& told_;
    question_inquiry* inquiry_ = nullptr;
    node_examination found_;
    core::instant asked_at_{};
    std::chrono::system_clock::time_point time_of_day_{};
    std::array<core::nanoseconds, questions> trips_{};
    std::vector<std::string> rights_;
    statements probes_;
    std::size_t asked_ = 0, probed_ = 0;
};

} // namespace

seam::question_pointer table_engine::examine(seam::answer_listener<examinations>& listener) {
    return seam::question_pointer(new examine_question(*this, listener));
}

} // namespace redlock::sql
