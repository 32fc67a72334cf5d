#include "sim/watched_group.hpp"

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <utility>

namespace redlock::sim {

using namespace std::chrono_literals;

namespace {

std::string host_of(std::uint32_t address) { return fmt::format("s{}", address); }

} // namespace

watched_group::watched_group(event_queue& events, trace& t, network& net, inspector& i,
                             server_observer& observer, const weather& w, std::uint32_t index,
                             std::unique_ptr<server>& master, std::uint64_t seed)
    : events_(events),
      trace_(t),
      network_(net),
      inspector_(i),
      observer_(observer),
      weather_(w),
      index_(index),
      master_(master),
      dice_(seed) {
    for (unsigned which = 0; which < group::sentinels; ++which)
        make_sentinel(which);
    replicate();
}

void watched_group::make_sentinel(unsigned which) {
    const std::uint32_t address = group::sentinel_address(index_, which);
    sentinels_.push_back(
        std::make_unique<server>(events_, address, weather_.servers[index_], observer_, dice_.seed()));
    server& made = *sentinels_.back();
    made.host().set_clock(time::instant(dice_.between(nanoseconds(400'000h), nanoseconds(400'001h))), 0);
    made.be_sentinel([this, which](const words& command) { return answer(which, command); });
    network_.add_server(address, made);
    views_[which] = {
        .epoch = 1, .address = group::master_address(index_, 0), .since = made.host().clock().now() - 1h};
}

void watched_group::replicate() {
    if (master_->is_up()) replica_ = master_->snapshot();
    events_.after(dice_.spread(weather_.longest_lag / 100, weather_.longest_lag), [this] { replicate(); });
}

void watched_group::fail_over() {
    trace_("group {} has a new master", index_);
    const std::uint32_t address = group::master_address(index_, ++fail_overs_);
    auto promoted =
        std::make_unique<server>(events_, index_, weather_.servers[index_], observer_, dice_.seed());
    const auto drift = static_cast<int>(weather_.drift);
    promoted->host().set_clock(master_->host().clock().now() +
                                   dice_.between(nanoseconds(-50ms), nanoseconds(50ms)),
                               dice_.between(-drift, drift));
    promoted->take_over(replica_);
    network_.add_server(address, *promoted);
    former_.push_back(std::exchange(master_, std::move(promoted)));
    server* const old = former_.back().get();
    old->retire();
    inspector_.promoted(*master_);
    events_.after(dice_.spread(1ms, 30s), [old] { old->crash(); });
    const unsigned last = static_cast<unsigned>(dice_.between(0, group::sentinels - 1));
    for (unsigned which = 0; which < group::sentinels; ++which)
        events_.after(dice_.spread(1ms, which == last ? 5s : 500ms), [this, which] { hear(which); });
}

void watched_group::hear(unsigned which) {
    const std::uint32_t address = group::master_address(index_, fail_overs_);
    view& of = views_[which];
    if (of.address == address) return;
    const std::string before = host_of(std::exchange(of.address, address));
    of.epoch = fail_overs_ + 1;
    of.since = sentinels_[which]->host().clock().now();
    sentinels_[which]->tell("+switch-master", fmt::format("g{} {} 1 {} 1", index_, before, host_of(address)));
}

void watched_group::mend() {
    for (const auto& old : former_)
        old->crash();
}

value watched_group::answer(unsigned which, const words& command) const {
    if (command.at(1) == "MYID") return value::text(host_of(group::sentinel_address(index_, which)));
    if (command[1] == "MASTER") return describe(which);
    return value::array({});
}

value watched_group::describe(unsigned which) const {
    const view& of = views_[which];
    const auto for_so_long = std::chrono::duration_cast<std::chrono::milliseconds>(
        sentinels_[which]->host().clock().now() - of.since);
    std::vector<value> fields;
    for (const auto& [name, content] : {std::pair<const char*, std::string>{"ip", host_of(of.address)},
                                        {"port", "1"},
                                        {"role-reported-time", std::to_string(for_so_long.count())},
                                        {"config-epoch", std::to_string(of.epoch)},
                                        {"num-other-sentinels", std::to_string(group::sentinels - 1)}}) {
        fields.push_back(value::text(name));
        fields.push_back(value::text(content));
    }
    return value::array(std::move(fields));
}

} // namespace redlock::sim
