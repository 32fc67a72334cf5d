// How an ensemble is, for its operator: asked over the session of locks, one question behind the other.

#include "engines/zookeeper/zookeeper_engine.hpp"
#include "turn/outcome.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace redlock::zookeeper {

namespace {

constexpr std::size_t trips_of_examination = 9;

using ensemble_examinations = std::vector<node_examination>;

class examine_question final : public seam::question, public detail::pooled {
public:
    examine_question(zookeeper_engine& of, seam::answer_listener<ensemble_examinations>& told)
        : engine_(of), told_(told) {
        found_.node = of.name();
        found_.product = "zookeeper";
    }
    void start() override {
        call_.wait_for(engine_.servers().submit(exists("/", false), [this](const reply& r) { take(r); }));
    }
    void let_go() noexcept override { delete this; }

private:
    ~examine_question() {
        if (word_) word_->let_go();
    }

    void take(const reply& r) {
        call_.is_over();
        if (!r.is_done()) {
            const errc why = meaning_of(r);
            found_.error = make_error_code(why);
            found_.error_text = engine_.sentence_of(why);
            return tell();
        }
        trips_[asked_] = engine_.turns().now() - r.sent_at;
        if (++asked_ < trips_of_examination) return start();
        std::ranges::sort(trips_);
        found_.least_round_trip = trips_.front();
        found_.median_round_trip = trips_[trips_of_examination / 2];
        found_.role = "master";
        word_ = engine_.servers().ask_word([this](std::string_view answer) {
            word_ = nullptr;
            found_.version = version_in(answer);
            tell();
        });
        if (!word_) tell();
    }
    void tell() {
        ensemble_examinations all;
        all.push_back(std::move(found_));
        told_.told({}, std::move(all));
    }

    zookeeper_engine& engine_;
    seam::answer_listener<ensemble_examinations>& told_;
    node_examination found_;
    std::array<core::nanoseconds, trips_of_examination> trips_{};
    std::size_t asked_ = 0;
    awaited_call call_;
    std::shared_ptr<server_word> word_;
};

} // namespace

seam::question_pointer zookeeper_engine::examine(seam::answer_listener<ensemble_examinations>& listener) {
    return seam::question_pointer(new examine_question(*this, listener));
}

} // namespace redlock::zookeeper
