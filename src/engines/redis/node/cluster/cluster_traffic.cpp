// How requests find their server in a cluster.

#include "engines/redis/node/cluster/cluster_answers.hpp"
#include "engines/redis/node/cluster/cluster_node.hpp"
#include "engines/redis/node/cluster/command_key.hpp"
#include "engines/redis/resp/command.hpp"

#include <algorithm>
#include <cassert>
#include <new>
#include <utility>

namespace redlock::node {
namespace {

constexpr unsigned most_hops = 5;
constexpr std::uint32_t no_errand = ~std::uint32_t{0};

const std::string& asking() {
    static const std::string encoded = [] {
        std::string text;
        resp::append_command(text, {"ASKING"});
        return text;
    }();
    return encoded;
}

} // namespace

errc cluster_node::submit(const request& r) noexcept try {
    if (stopped_) return errc::closed;
    if (!map_.empty() || (r.cleanup && !last_known_.empty())) return route(r);
    if (state_ != health::connecting) return last_error_;
    if (!held_.push(r)) return errc::node_timeout;
    arm();
    return {};
} catch (const std::bad_alloc&) {
    return errc::node_unavailable;
}

errc cluster_node::route(const request& r) {
    const command_place place = place_of_command(r.command);
    const auto slot = place.key ? std::optional(hash_slot(*place.key)) : std::nullopt;
    cluster_member* const to = destination(slot, r);
    if (!to) return errc::node_unavailable;
    if (slot && !r.cleanup && is_guarded(*slot)) return errc::node_quarantined;
    if (bytes_ + r.command.size() > each_.output_limit) return errc::node_timeout;
    if (free_.empty()) {
        if (errands_.size() >= each_.request_limit) return errc::node_timeout;
        free_.push_back(static_cast<errand_number>(errands_.size()));
        errands_.emplace_back();
    }
    const errand_number number = free_.back();
    errand& e = errands_[number];
    e.command.assign(r.command);
    course* const going = slot ? &courses_[*slot] : nullptr; // the last that may throw
    e.receiver = r.receiver;
    e.tag = r.tag;
    e.deadline = r.deadline;
    e.subscription = r.subscription;
    e.cleanup = r.cleanup;
    e.slot = slot;
    e.sent_on = 0;
    free_.pop_back();
    bytes_ += e.command.size();
    if (going) {
        ++going->under_way;
        going->latest = number;
    }
    const errc refusal = put(number, *to);
    if (refusal != errc{}) take_off(number);
    if (place.name == "CONFIG" && refusal == errc{}) tell_the_others(r, *to);
    return refusal;
}

// What is set on one of them is meant for all.
void cluster_node::tell_the_others(const request& r, const cluster_member& one) noexcept {
    for (const auto& m : members_)
        if (m.get() != &one) m->submit({.command = r.command, .deadline = r.deadline});
}

// What is about no key goes to the same server while it is there.
cluster_member* cluster_node::destination(std::optional<std::uint16_t> slot,
                                          const request& of) const noexcept {
    if (!slot)
        return of.server < known().servers().size() ? member_at(known().servers()[of.server]) : nullptr;
    const auto under_way = courses_.find(*slot);
    if (under_way != courses_.end() && under_way->second.at) return under_way->second.at;
    std::size_t owner = map_.owner_of(*slot);
    if (owner != slot_map::nobody) return member_at(map_.servers()[owner]);
    owner = last_known_.owner_of(*slot);
    return of.cleanup && owner != slot_map::nobody ? member_at(last_known_.servers()[owner]) : nullptr;
}

bool cluster_node::is_guarded(std::uint16_t slot) const noexcept {
    if (guarded_.empty()) return false;
    const auto found = guarded_.find(slot);
    return found != guarded_.end() && found->second > time_.now();
}

errc cluster_node::put(errand_number number, cluster_member& to, bool asks) noexcept {
    errand& e = errands_[number];
    if (asks) {
        const errc refusal = to.submit({.command = asking(), .deadline = e.deadline, .cleanup = e.cleanup});
        if (refusal != errc{}) return refusal;
    }
    const errc refusal = to.submit({.command = e.command,
                                    .receiver = this,
                                    .tag = reply_tag::numbered(number),
                                    .deadline = e.deadline,
                                    .subscription = e.subscription,
                                    .cleanup = e.cleanup});
    if (refusal != errc{}) return refusal;
    e.at = &to;
    ++to.errands;
    if (!e.slot) return {};
    course& c = courses_.at(*e.slot);
    if (c.latest == number) c.at = &to;
    return {};
}

void cluster_node::flush() noexcept {
    for (const auto& m : members_)
        m->server().flush();
}

// The receiver may submit, and what it was told about is gone by then.
cluster_node::errand cluster_node::take_off(errand_number number) noexcept {
    errand& e = errands_[number];
    if (e.slot) {
        const auto under_way = courses_.find(*e.slot);
        assert(under_way != courses_.end());
        course& c = under_way->second;
        if (c.latest == number) c.latest = no_errand;
        if (--c.under_way == 0) courses_.erase(under_way);
    }
    bytes_ -= e.command.size();
    e.at = nullptr;
    free_.push_back(number);
    errand taken;
    taken.receiver = e.receiver;
    taken.tag = e.tag;
    return taken;
}

void cluster_node::fail(errand_number number, errc why) noexcept {
    const errand taken = take_off(number);
    if (taken.receiver) taken.receiver->on_failure(taken.tag, why);
}

void cluster_node::on_failure(reply_tag tag, errc why) noexcept {
    --errands_[tag.number()].at->errands;
    fail(tag.number(), why);
}

void cluster_node::on_reply(reply_tag tag, const resp::reply& reply) noexcept {
    const errand_number number = tag.number();
    --errands_[number].at->errands;
    if (reply.is(resp::kind::error) && send_on(number, reply.text())) return;
    const errand taken = take_off(number);
    if (taken.receiver) taken.receiver->on_reply(taken.tag, reply);
}

// Whether that was no answer yet.
bool cluster_node::send_on(errand_number number, std::string_view error) {
    const auto elsewhere = read_redirection(error, errands_[number].at->at().host);
    // Of another slot, or of a command that is about no key, it says nothing that could be followed.
    if (elsewhere && elsewhere->slot != errands_[number].slot) return false;
    if (!elsewhere && !says_slot_is_down(error)) return false;
    if (!elsewhere && error.starts_with("CLUSTERDOWN")) errands_[number].at->is_down();
    const bool is_on_the_way = elsewhere && elsewhere->for_once; // who has the slot is as before
    if (!stopped_ && !is_on_the_way) ask_all();
    const errc why = elsewhere ? follow(number, *elsewhere) : errc::node_unavailable;
    if (why != errc{}) fail(number, why);
    return true;
}

errc cluster_node::follow(errand_number number, const redirection& to) {
    errand& e = errands_[number];
    if (stopped_) return errc::closed;
    if (++e.sent_on > most_hops) return errc::node_unavailable;
    const std::size_t owner = map_.owner_of(to.slot);
    const bool has_moved = !to.for_once && !(owner != slot_map::nobody && map_.servers()[owner] == to.to);
    // The masters have yet to agree on that, and then the guard begins: until then, no vote there counts.
    if (has_moved && !e.cleanup && guards()) return errc::node_quarantined;
    if (!to.for_once && !e.cleanup && is_guarded(to.slot)) return errc::node_quarantined;
    cluster_member* at = member_at(to.to);
    if (!at) {
        if (members_.size() >= most_members) return errc::node_unavailable;
        at = &meet(to.to);
        at->server().start();
    }
    const errc refusal = put(number, *at, to.for_once);
    if (refusal == errc{}) at->server().flush();
    return refusal;
}

void cluster_node::serve_held() {
    while (const auto held = held_.take()) {
        const errc refusal = route({.command = held->command,
                                    .receiver = held->receiver,
                                    .tag = held->tag,
                                    .deadline = held->deadline,
                                    .subscription = held->subscription,
                                    .server = held->server});
        if (refusal != errc{} && held->receiver) held->receiver->on_failure(held->tag, refusal);
        if (stopped_) return;
    }
    flush();
}

} // namespace redlock::node
