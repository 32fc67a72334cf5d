#include "engines/redis/node/group/sentinel_group.hpp"

#include <boost/asio/post.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace redlock::node {
namespace {

constexpr std::chrono::seconds interval{1};
constexpr std::chrono::seconds life_of_a_word{3};
constexpr std::size_t most_links = 15;

} // namespace

sentinel_group::sentinel_group(redis_node::strand on, const address& group, node_settings each,
                               node_listener& turns, const time::time_source& time, std::uint64_t seed,
                               network::io_source& over)
    : strand_(std::move(on)),
      group_(group),
      each_(std::move(each)),
      turns_(turns),
      time_(time),
      seeds_(seed),
      io_(over),
      council_(life_of_a_word),
      timer_(io_.make_timer(strand_)) {
    for (const endpoint& at : group_.sentinels)
        meet(at);
    council_.expect(different_ones());
}

void sentinel_group::meet(const endpoint& at) {
    link_listener& listener = *this;
    links_.push_back(
        std::make_unique<sentinel_link>(strand_, group_, at, each_, listener, turns_, time_, seeds_(), io_));
}

void sentinel_group::start() {
    for (const auto& link : links_)
        link->start();
    ask_at_ = time_.now() + interval;
    arm();
}

void sentinel_group::ask_all() {
    ask_at_ = time_.now() + interval;
    for (const auto& link : links_)
        link->ask();
}

void sentinel_group::arm() {
    const auto now = time_.now();
    const auto at = std::min(ask_at_, believed_until_);
    if (at >= timer_->armed_for() && timer_->armed_for() > now) return;
    timer_->arm(at, now, [self = weak_from_this()](const network::stream::error_code& ec) {
        const auto group = self.lock();
        if (ec || !group || group->stopped_) return;
        group->timer_->fired();
        group->turns_.on_turn_begin();
        if (group->ask_at_ <= group->time_.now()) group->ask_all();
        group->decide();
        if (!group->stopped_) group->turns_.on_turn_end();
    });
}

// A Sentinel that goes by two names in the address is one.
unsigned sentinel_group::different_ones() const noexcept {
    unsigned count = 0;
    for (std::size_t i = 0; i < group_.sentinels.size(); ++i)
        count += std::none_of(links_.begin(), links_.begin() + static_cast<std::ptrdiff_t>(i),
                              [&](const auto& before) { return before->id() == links_[i]->id(); });
    return count;
}

void sentinel_group::sentinel_said(sentinel_link& from, testimony t, time::instant asked) {
    council_.said(from.id(), std::move(t), asked);
    council_.expect(different_ones());
    decide();
}

void sentinel_group::sentinel_knows_nothing(sentinel_link& from) {
    council_.knows_nothing(from.id());
    decide();
}

// Not before it is known who the others are: they may be these.
void sentinel_group::sentinels_told(const std::vector<sentinel_told>& others) {
    if (!std::ranges::all_of(links_, &sentinel_link::is_settled)) return;
    forget_gone(others);
    for (const sentinel_told& other : others) {
        const bool known = std::ranges::any_of(
            links_, [&](const auto& link) { return link->id() == other.id || link->at() == other.at; });
        if (known || links_.size() >= most_links) continue;
        meet(other.at);
        links_.back()->start();
    }
}

// Sentinels come and go where machines do.
void sentinel_group::forget_gone(const std::vector<sentinel_told>& others) {
    const auto is_gone = [&](const auto& link) {
        return !link->is_reachable() &&
               std::ranges::find(others, link->at(), &sentinel_told::at) == others.end();
    };
    const auto own = static_cast<std::ptrdiff_t>(group_.sentinels.size());
    links_.erase(std::remove_if(links_.begin() + own, links_.end(), is_gone), links_.end());
}

void sentinel_group::decide() {
    if (stopped_) return;
    const auto now = time_.now();
    auto found = council_.master(now);
    believed_until_ = council_.next_change(now);
    const bool same = found.has_value() == master_.has_value() && (!found || found->at == master_->at);
    master_ = std::move(found);
    if (!same)
        for (master_follower* const told : std::vector(followers_))
            told->master_changed();
    if (!stopped_) arm();
}

std::string sentinel_group::problem() const {
    const auto now = time_.now();
    std::string text = fmt::format("has no master: {} of its Sentinels name the same one, and {} are needed",
                                   council_.agreeing(now), council_.needed(now));
    constexpr std::size_t most_reasons = 3;
    std::size_t reasons = 0;
    for (const auto& link : links_) {
        const std::string why = link->problem();
        if (why.empty() || ++reasons > most_reasons) continue;
        text += fmt::format("{} {}", reasons == 1 ? ":" : ";", why);
    }
    return text;
}

errc sentinel_group::failure() const {
    const errc first = links_.front()->failure();
    const bool is_common =
        std::ranges::all_of(links_, [&](const auto& link) { return link->failure() == first; });
    return is_common && first != errc{} ? first : errc::node_unavailable;
}

void sentinel_group::stop(std::function<void()> ended) {
    if (!std::exchange(stopped_, true)) timer_->cancel();
    followers_.clear();
    const auto outstanding = std::make_shared<std::size_t>(links_.size());
    for (const auto& link : links_)
        link->stop([outstanding, ended] {
            if (--*outstanding == 0 && ended) ended();
        });
}

void sentinel_group::leave() noexcept {
    for (const auto& link : links_)
        link->leave();
}

} // namespace redlock::node
