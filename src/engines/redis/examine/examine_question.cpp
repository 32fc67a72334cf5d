#include "engines/redis/examine/examine_question.hpp"

#include "engines/redis/examine/examine_relations.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace redlock::redis {

namespace {

constexpr std::chrono::seconds shortest_step{1};

} // namespace

void examine_question::start() {
    const core::nanoseconds step = std::max<core::nanoseconds>(shortest_step, quorum_.node_timeout());
    unexamined_ = connected_ = quorum_.nodes();
    examination_listener& listener = *this;
    for (std::uint32_t index = 0; index < quorum_.nodes(); ++index)
        nodes_.push_back(std::make_unique<examine_node>(quorum_, index, databases_[index], step, listener));
    for (std::uint32_t index = 0; index < quorum_.nodes(); ++index)
        nodes_[index]->start(connect_(index, nodes_[index]->ear()));
}

void examine_question::examined() noexcept {
    if (--unexamined_ > 0) return;
    std::vector<node_examination> all;
    for (const auto& one : nodes_)
        all.push_back(std::move(one->found()));
    find_relations(all);
    tell({}, std::move(all));
    stop();
}

void examine_question::tell(const boost::system::error_code& ec, std::vector<node_examination>&& found) {
    if (let_go_ || std::exchange(told_, true)) return;
    listener_.told(ec, std::move(found));
}

// The connections end by themselves, whoever still wants to know.
void examine_question::let_go() noexcept {
    let_go_ = true;
    if (abandoned_) return delete this;
    stop();
}

void examine_question::abandon() noexcept {
    abandoned_ = true;
    nodes_.clear();
    turn::list_hook::unlink();
    if (let_go_) delete this;
}

void examine_question::client_closes() noexcept {
    tell(make_error_code(errc::closed), {});
    stop();
}

void examine_question::stop() noexcept {
    if (std::exchange(stopped_, true)) return;
    for (const auto& one : nodes_)
        one->stop([this] { connection_ended(); });
}

void examine_question::connection_ended() {
    if (--connected_ > 0) return;
    turn::turns& turns = quorum_.turns();
    turns.begin();
    delete this;
    turns.end();
}

} // namespace redlock::redis
