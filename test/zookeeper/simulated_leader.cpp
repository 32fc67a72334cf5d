// How a simulated client that has the key proclaims something, and how it gives a key back.

#include "simulated_client.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace redlock::zookeeper::test {

namespace {

using said = statement::answer;

} // namespace

void simulated_client::begin_to_lead() {
    leading_ = token_;
    has_.says = std::make_shared<statement>();
    has_.says->proclaim(has_.fence, "me");
    go_on_saying();
    say_more();
}

void simulated_client::say_more() {
    hear(milliseconds(world_.between(1, 120)), [this, token = token_] {
        if (leading_ != token) return;
        has_.says->proclaim(has_.fence, "more");
        go_on_saying();
        say_more();
    });
}

// What nobody knows of the next renewal takes up.
void simulated_client::go_on_saying() {
    if (leading_.empty() || leading_ != token_ || saying_.contains(token_)) return;
    const statement::action what = has_.says->next();
    if (what == statement::action::nothing) return;
    saying_[token_] = has_.says;
    what == statement::action::look ? look_at_leader() : ask_for(what);
}

void simulated_client::ask_for(statement::action what) {
    const std::shared_ptr<statement> says = has_.says;
    const auto how = std::make_shared<said>(said::done);
    const leader_mark mark = says->mark();
    const bool checks_place = world_.mistake != planted::said_without_place;
    const bool checks_version = world_.mistake != planted::said_over_any_version;
    const auto request = [=, owner = session_, token = token_, record = says->record(),
                          version = says->version()](state& f) {
        const auto refuse = [&](said with) {
            *how = with;
            return answer::refused;
        };
        if (checks_place && !f.nodes.contains(token)) return refuse(said::key_gone);
        if (what == statement::action::make) {
            if (f.leader) return refuse(said::node_there);
            f.leader = {record, mark, token, owner, 0};
            return answer::done;
        }
        if (!f.leader) return refuse(said::node_gone);
        if (checks_version && f.leader->version != version) return refuse(said::changed);
        if (what == statement::action::write)
            f.leader = {record, mark, f.leader->token, f.leader->session, f.leader->version + 1};
        return answer::done;
    };
    write(request, true, [this, says, how, mark, what, token = token_](answer a) {
        saying_.erase(token);
        if (a == answer::unknown && world_.mistake == planted::unknown_stands) a = answer::done;
        if (a == answer::done && what != statement::action::check) world_.lead.confirmed(mark);
        if (a == answer::unknown) return says->answered(said::unknown);
        says->answered(a == answer::no_node ? said::key_gone : *how);
        if (leading_ == token) go_on_saying();
    });
}

void simulated_client::look_at_leader() {
    const std::shared_ptr<statement> says = has_.says;
    world_.after(delay(), [this, says, token = token_, s = session_] {
        const auto found = view().leader;
        hear(delay(), [this, says, token, s, found] {
            saying_.erase(token);
            if (found)
                says->seen(found->version, found->session == s, found->record);
            else
                says->answered(said::node_gone);
            if (leading_ == token) go_on_saying();
        });
    });
}

// Behind what is asked for already, as over one connection.
void simulated_client::depart(const std::string& token, const holding& has, std::function<void()> then) {
    if (leading_ == token) leading_.clear();
    if (saying_.contains(token)) return hear(5ms, [this, token, has, then] { depart(token, has, then); });
    look([this, token, has, then](const sight&) {
        // A sync comes first.
        if (is_cut_off()) return depart(token, has, then);
        const state& now_there = world_.servers.newest();
        const sight s = simulated_ensemble::seen_in(now_there, now_there);
        check_session();
        farewell f = farewell_to(token, has, s);
        if (f == farewell::void_record && world_.mistake == planted::no_void)
            f = s.node_of(token) ? farewell::remove_node : farewell::nothing;
        if (f == farewell::remove_node_first && world_.mistake == planted::ends_in_one_step)
            f = farewell::free_record;
        if (f == farewell::nothing) return then();
        const bool clears =
            f == farewell::remove_leader ||
            (f == farewell::free_record && s.has_leader && world_.mistake != planted::release_leaves_leader);
        const auto what = [token, f, has, clears, v = s.version](state& at) {
            const bool only_node = f == farewell::remove_node || f == farewell::remove_node_first;
            if (!only_node && at.version != v) return answer::refused;
            if (only_node && !at.nodes.contains(token) && !at.marks.contains(token)) return answer::no_node;
            if (clears && !at.leader) return answer::no_node;
            if (clears) at.leader.reset();
            if (f == farewell::remove_leader) return answer::done;
            at.nodes.erase(token);
            at.marks.erase(token);
            if (only_node) return answer::done;
            ++at.version;
            if (f == farewell::free_record) {
                at.holder.reset();
                at.is_shared = has.left_to_readers;
            }
            if (at.holder) at.holder->fence = at.holder->current_fence(at.written_by);
            at.written_by = at.transaction;
            return answer::done;
        };
        write(what, false, [this, token, has, then](answer) { depart(token, has, then); });
    });
}

} // namespace redlock::zookeeper::test
