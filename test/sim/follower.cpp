#include "sim/follower.hpp"

#include "sim/lead_watch.hpp"
#include "sim/process.hpp"

#include <utility>

namespace redlock::sim {

using namespace std::chrono_literals;

follower::follower(process& in, std::string name)
    : process_(in),
      dice_(in.draws().seed()),
      name_(in.around().weather.config.key_prefix + name),
      next_(in.host()),
      impatience_(in.host()) {}

void follower::start() {
    next_.set(process_.host().clock().now() + dice_.spread(10us, 100ms), [this] { ask(); });
}

void follower::ask() {
    if (stops_ || process_.is_closing()) return;
    process_.turn([this] {
        engine::answer_listener<leader_info>& listener = *this;
        question_ = process_.lessee()->engine().observe(name_, known_, listener);
        question_->start();
    });
    if (question_ && dice_.chance(0.1))
        impatience_.set(process_.host().clock().now() + dice_.spread(10us, 2s), [this] { give_up(); });
}

void follower::give_up() {
    if (!question_) return;
    process_.around().trace("client {} observes no more, for a while", process_.client());
    process_.turn([this] { question_.reset(); });
    start();
}

void follower::told(const boost::system::error_code& ec, leader_info&& info,
                    const engine::failure*) noexcept {
    impatience_.cancel();
    const auto last = std::move(question_);
    const surroundings& around = process_.around();
    if (ec) {
        around.trace("client {} observes: {}", process_.client(), ec.message());
        if (ec == errc::closed)
            stops_ = true;
        else
            start();
        return;
    }
    around.trace("client {} observes: {} leads, term {}, version {}", process_.client(),
                 info.present ? info.value : "nobody", info.mark.term, info.mark.version);
    around.leaders.told(process_.client(), known_, info,
                        process_.host().stopped() ? 0ns : around.events.now() - process_.host().went_on_at());
    known_ = info.mark;
    knows_ = true;
    somebody_leads_ = info.present;
    next_.set(process_.host().clock().now(), [this] { ask(); });
    stop_if_nobody_leads();
}

void follower::wind_down() {
    winds_down_ = true;
    process_.turn([this] { stop_if_nobody_leads(); });
}

void follower::stop_if_nobody_leads() {
    if (!winds_down_ || !knows_ || somebody_leads_) return;
    stops_ = true;
    question_.reset();
    next_.cancel();
    impatience_.cancel();
}

void follower::client_closes() {
    if (question_) question_->client_closes();
    stops_ = true;
}

} // namespace redlock::sim
