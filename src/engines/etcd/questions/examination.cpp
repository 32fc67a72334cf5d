// How a cluster is, for its operator: the member in use, asked one question behind the other.

#include "engines/etcd/messages/cluster.hpp"
#include "engines/etcd/questions/question_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace redlock::etcd {

namespace {

constexpr std::size_t questions = 9; ///< of each a round trip is known

using examinations = std::vector<node_examination>;

class examine_question final : public cluster_question<examinations> {
public:
    examine_question(etcd_engine& of, seam::answer_listener<examinations>& told)
        : cluster_question(of, told) {
        found_.node = of.name();
        found_.product = "etcd";
    }
    void start() override {
        asked_at_ = engine().turns().now();
        ask(methods::status, {}, [this](const result& r) {
            errc why{};
            const auto read = read_reply_of<messages::status_result>(r, why);
            if (!read) return fail(why);
            take(*read);
        });
    }

private:
    void take(const messages::reply<messages::status_result>& read) {
        trips_[asked_] = engine().turns().now() - asked_at_;
        const messages::status_result& is = read.content;
        if (++asked_ < questions) return start();
        std::ranges::sort(trips_);
        found_.least_round_trip = trips_.front();
        found_.median_round_trip = trips_[questions / 2];
        found_.version = is.version;
        found_.append_only = true;
        found_.append_fsync = "always";
        found_.role = is.is_learner ? "learner" : "master";
        found_.run_id = fmt::format("term {}", is.raft_term);
        if (is.leader == 0) refuse("has no leader");
        if (!is.errors.empty()) refuse(fmt::format("says: {}", is.errors.front()));
        finish();
    }
    void refuse(const std::string& why) {
        found_.refusal = make_error_code(errc::no_quorum);
        found_.refusal_text = fmt::format("{} {}", engine().line().endpoint(), why);
    }
    void fail(errc why) {
        found_.error = make_error_code(why);
        found_.error_text = engine().sentence_of(why);
        finish();
    }
    void finish() {
        examinations all;
        all.push_back(std::move(found_));
        tell(std::move(all));
    }

    node_examination found_;
    core::instant asked_at_{};
    std::array<core::nanoseconds, questions> trips_{};
    std::size_t asked_ = 0;
};

} // namespace

seam::question_pointer etcd_engine::examine(seam::answer_listener<examinations>& listener) {
    return seam::question_pointer(new examine_question(*this, listener));
}

} // namespace redlock::etcd
