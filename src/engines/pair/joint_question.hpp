#pragma once

#include "engine/engine.hpp"
#include "engine/question.hpp"
#include "engines/pair/joint_outcome.hpp"

#include <redlock/detail/pool.hpp>

#include <functional>
#include <optional>
#include <utility>

namespace redlock::pair {

/// A question that both engines answer, at once. `Join` makes one report of two. Where one of them fails, so
/// does the question; the other is let go of.
template <class Report, class Join>
class joint_question final : public engine::question, public detail::pooled {
public:
    using put = std::function<engine::question_pointer(engine::answer_listener<Report>&)>;

    joint_question(const put& to_first, const put& to_second, Join join,
                   engine::answer_listener<Report>& told)
        : join_(std::move(join)), told_(told), first_(to_first(at_first_)), second_(to_second(at_second_)) {}

    // The answer may come from inside a start, and whoever put the question lets go of it then.
    void start() override {
        each([](engine::question& asked) { asked.start(); });
    }
    void client_closes() noexcept override {
        each([](engine::question& asked) { asked.client_closes(); });
    }
    void let_go() noexcept override {
        is_let_go_ = true;
        if (!is_in_use_) delete this;
    }

private:
    struct ear final : engine::answer_listener<Report> {
        ear(joint_question& by, place which) noexcept : of(by), at(which) {}
        void told(const boost::system::error_code& ec, Report&& report,
                  const engine::failure* more) noexcept override {
            of.answered(at, ec, std::move(report), more);
        }
        joint_question& of;
        const place at;
    };

    ~joint_question() = default;

    void each(void (*tell)(engine::question&)) {
        is_in_use_ = true;
        if (first_) tell(*first_);
        if (second_ && !is_let_go_) tell(*second_);
        is_in_use_ = false;
        if (is_let_go_) delete this;
    }

    void answered(place of, const boost::system::error_code& ec, Report&& report,
                  const engine::failure* more) noexcept {
        const engine::question_pointer answers = std::move(of == place::first ? first_ : second_);
        if (ec) {
            (of == place::first ? second_ : first_).reset();
            return told_.told(ec, {}, more);
        }
        (of == place::first ? of_first_ : of_second_) = std::move(report);
        if (!of_first_ || !of_second_) return;
        Report both = join_(std::move(*of_first_), std::move(*of_second_));
        told_.told({}, std::move(both), nullptr);
    }

    const Join join_;
    engine::answer_listener<Report>& told_;
    bool is_in_use_ = false;
    bool is_let_go_ = false;
    ear at_first_{*this, place::first};
    ear at_second_{*this, place::second};
    engine::question_pointer first_;
    engine::question_pointer second_;
    std::optional<Report> of_first_;
    std::optional<Report> of_second_;
};

/// `put(engine, listener)` asks one of the two.
template <class Report, class Put, class Join>
engine::question_pointer ask_both(engine::engine& first, engine::engine& second, Put put, Join join,
                                  engine::answer_listener<Report>& told) {
    const auto to_first = [&](engine::answer_listener<Report>& hears) { return put(first, hears); };
    const auto to_second = [&](engine::answer_listener<Report>& hears) { return put(second, hears); };
    return engine::question_pointer(
        new joint_question<Report, Join>(to_first, to_second, std::move(join), told));
}

} // namespace redlock::pair
