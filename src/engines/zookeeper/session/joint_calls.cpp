#include "engines/zookeeper/session/joint_calls.hpp"

#include "engines/zookeeper/session/session.hpp"
#include "engines/zookeeper/wire/limits.hpp"

#include <algorithm>
#include <utility>

namespace redlock::zookeeper {

namespace {

// What is behind a request waits until a server has read and carried out all of it.
constexpr std::size_t most_bytes = 16'384;

/// One of them alone may be what the server refused the whole for.
bool may_be_about_one(fault said) noexcept {
    switch (said) {
    case fault::undone:
    case fault::no_node:
    case fault::forbidden:
    case fault::bad_version:
    case fault::node_exists:
    case fault::not_empty:
        return true;
    default:
        return false;
    }
}

} // namespace

call& joint_calls::submit(std::string folder, multi&& asks, call::handler told) {
    const std::size_t operations = asks.size();
    auto asked = std::make_unique<call>(asks.finish(), std::move(told));
    call& c = *asked;
    waiting_.push_back({std::move(asked), std::move(folder), operations});
    return c;
}

void joint_calls::send() {
    while (!waiting_.empty())
        send_bundle();
}

joint_calls::bundle joint_calls::take_first() {
    bundle all;
    std::size_t operations = 0;
    std::size_t bytes = 0;
    const auto has_room_for = [&](const part& p) {
        return operations + p.operations <= most_operations &&
               bytes + p.asked->asks().bytes.size() <= most_bytes &&
               std::ranges::find(all, p.folder, &part::folder) == all.end();
    };
    do {
        part& first = waiting_.front();
        operations += first.operations;
        bytes += first.asked->asks().bytes.size();
        all.push_back(std::move(first));
        waiting_.pop_front();
    } while (!waiting_.empty() && has_room_for(waiting_.front()));
    return all;
}

void joint_calls::send_bundle() {
    const auto all = std::make_shared<bundle>(take_first());
    if (all->size() == 1) return servers_.submit(std::move(all->front().asked));
    std::vector<const request_body*> parts;
    for (const part& p : *all)
        parts.push_back(&p.asked->asks());
    servers_.submit(join(parts), [this, all](const reply& r) { answered(*all, r); });
}

void joint_calls::answered(bundle& all, const reply& r) {
    if (r.what == reply::kind::refused && may_be_about_one(r.said)) return ask_each(all);
    std::vector<std::size_t> sizes;
    for (const part& p : all)
        sizes.push_back(p.operations);
    const auto results = r.is_done() ? split_multi(r.body, sizes) : std::nullopt;
    if (!results) return tell_all(all, {.what = r.what, .said = r.said, .why = r.why, .sent_at = r.sent_at});
    const bool was_done =
        std::ranges::all_of(*results, [](const part_of_multi& each) { return each.failed == fault::none; });
    if (!was_done) return undone(all, *results, r.sent_at);
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i].tell({.what = reply::kind::done, .sent_at = r.sent_at, .body = (*results)[i].body});
}

void joint_calls::undone(bundle& all, const std::vector<part_of_multi>& results, core::instant sent_at) {
    const auto spoiler = std::ranges::find_if(results, [](const part_of_multi& each) {
        return each.failed != fault::none && each.failed != fault::undone;
    });
    if (spoiler == results.end()) return ask_each(all);
    if (!may_be_about_one(spoiler->failed))
        return tell_all(all, {.what = reply::kind::refused, .said = spoiler->failed, .sent_at = sent_at});
    all[static_cast<std::size_t>(spoiler - results.begin())].tell(
        {.what = reply::kind::done, .sent_at = sent_at, .body = spoiler->body});
    ask_each(all);
}

void joint_calls::ask_each(bundle& all) {
    for (part& p : all)
        if (p.asked) servers_.submit(std::move(p.asked));
}

void joint_calls::tell_all(bundle& all, const reply& r) {
    for (part& p : all)
        p.tell(r);
}

} // namespace redlock::zookeeper
