#include "etcd/model/store.hpp"

#include <utility>
#include <vector>

namespace redlock::etcd::model {

void store::erase(const name& key) {
    keys_.erase(key);
    ++revision_;
    deleted(key);
}

void store::revoke(std::int64_t lease) {
    if (leases_.erase(lease) == 0) return;
    std::vector<name> under;
    for (const auto& [key, e] : keys_)
        if (e.lease == lease) under.push_back(key);
    for (const name& key : under)
        erase(key);
    if (somebody_leads() && lead_.lease == lease) set_lead({});
    std::erase_if(graves_, [&](const auto& each) { return each.second == lease; });
}

void store::expire(core::instant now) {
    std::vector<std::int64_t> over;
    for (const auto& [id, l] : leases_)
        if (l.ends <= now) over.push_back(id);
    for (const std::int64_t id : over)
        revoke(id);
}

void store::change_leader(core::instant now, bool old_one_stood_still) {
    if (old_one_stood_still && !stale_) stale_ = leader{term_, leases_};
    ++term_;
    for (auto& [id, l] : leases_)
        l.ends = now + l.ttl;
}

void store::stale_leader_revokes(core::instant now) {
    if (!stale_) return;
    for (const auto& [id, l] : stale_->leases)
        if (l.ends <= now) revoke(id);
}

const store::item* store::newest_before(std::int64_t created, bool writers_alone) const {
    const item* found = nullptr;
    for (const item& each : keys_) {
        if (writers_alone && each.second.whose != role::writer) continue;
        if (each.second.created < created && (!found || each.second.created > found->second.created))
            found = &each;
    }
    return found;
}

const store::item* store::oldest() const {
    const item* found = nullptr;
    for (const item& each : keys_)
        if (!found || each.second.created < found->second.created) found = &each;
    return found;
}

const store::item* store::any_downgraded_but(const name& own) const {
    for (const item& each : keys_)
        if (each.second.whose == role::downgraded && each.first != own) return &each;
    return nullptr;
}

const store::item* store::in_front_of(const item& own) const {
    const bool reads = own.second.whose != role::writer;
    if (const item* const other = newest_before(own.second.created, reads)) return other;
    return reads ? nullptr : any_downgraded_but(own.first);
}

// With what is planted.
const store::item* store::predecessor_of(const item& own) const {
    const bool reads = own.second.whose == role::reader;
    const std::int64_t created = own.second.created;
    if (reads && planted_ == mistake::reader_overtakes) {
        const item* const first = oldest();
        return first->second.whose == role::writer ? newest_before(created, true) : nullptr;
    }
    if (reads && planted_ == mistake::reader_asks_the_last) {
        const item* const last = newest_before(created, false);
        return last && last->second.whose == role::writer ? last : nullptr;
    }
    if (!reads && planted_ == mistake::writer_asks_writers) return newest_before(created, true);
    if (!reads && planted_ == mistake::downgraded_is_unseen) return newest_before(created, false);
    return in_front_of(own);
}

store::answer store::acquire(const name& key, const name& grave, std::int64_t lease, role whose) {
    if (!leases_.contains(lease)) return {.said = {.what = verdict::kind::lease_gone}};
    if (graves_.contains(grave)) return {.said = {.what = verdict::kind::displaced}};
    answer a{.said = {.what = verdict::kind::first}, .inner_revision = revision_};
    item& own = *keys_.try_emplace(key).first;
    ++revision_;
    if (own.second.created == 0) own.second.created = revision_;
    own.second.modified = own.second.token = revision_;
    own.second.lease = lease;
    own.second.whose = whose;
    if (const item* const other = predecessor_of(own)) {
        a.said = {.what = verdict::kind::behind, .predecessor = other->second.created};
        a.predecessor = other->first;
    }
    a.created = own.second.created;
    a.modified = revision_;
    return a;
}

store::answer store::confirm(const name& key, std::int64_t created, std::int64_t modified) {
    const auto own = keys_.find(key);
    if (own == keys_.end() || own->second.created != created)
        return {.said = {.what = verdict::kind::displaced}};
    answer a{.said = {.what = verdict::kind::first}, .created = created, .inner_revision = revision_};
    const item* const other = predecessor_of(*own);
    const bool reads = own->second.whose == role::reader;
    const bool may_write = !other || planted_ == mistake::token_while_waiting;
    if (may_write && own->second.modified == modified && !(reads && planted_ == mistake::token_of_the_entry))
        own->second.modified = own->second.token = ++revision_;
    if (other) {
        a.said = {.what = verdict::kind::behind, .predecessor = other->second.created};
        a.predecessor = other->first;
    }
    a.modified = own->second.modified;
    return a;
}

store::answer store::downgrade(const name& held, std::int64_t created, const name& key, const name& grave,
                               std::int64_t lease) {
    if (!leases_.contains(lease)) return {.said = {.what = verdict::kind::lease_gone}};
    const auto writing = keys_.find(held);
    if (graves_.contains(grave) || writing == keys_.end() || writing->second.created != created)
        return {.said = {.what = verdict::kind::displaced}};
    ++revision_;
    keys_[key] = {.created = revision_,
                  .modified = revision_,
                  .lease = lease,
                  .whose = role::downgraded,
                  .token = revision_};
    if (planted_ == mistake::downgrade_in_one_step) erase(held);
    return {.said = {.what = verdict::kind::first}, .created = keys_[key].created};
}

store::answer store::move(const name& key, std::int64_t created, std::int64_t modified, std::int64_t lease,
                          bool is_held) {
    if (!leases_.contains(lease)) return {.said = {.what = verdict::kind::lease_gone}};
    const auto own = keys_.find(key);
    if (own == keys_.end() || own->second.created != created)
        return {.said = {.what = verdict::kind::displaced}};
    if (own->second.modified != modified)
        return {.said = {.what = verdict::kind::behind}, .modified = own->second.modified};
    const bool leads = somebody_leads() && lead_.lease == own->second.lease &&
                       lead_.mark.term == static_cast<std::uint64_t>(own->second.token);
    own->second.modified = ++revision_;
    if (!is_held) own->second.token = revision_;
    own->second.lease = lease;
    if (planted_ == mistake::moved_key_is_the_last) own->second.created = revision_;
    if (leads) lead_.lease = lease;
    return {.said = {.what = verdict::kind::first},
            .created = own->second.created,
            .modified = own->second.modified};
}

void store::remove(const name& key, std::int64_t term) {
    if (keys_.contains(key)) erase(key);
    const bool is_of_it = term != 0 && lead_.mark.term == static_cast<std::uint64_t>(term);
    if (is_of_it && planted_ != mistake::release_leaves_value) set_lead({});
}

bool store::proclaim(const name& key, std::int64_t created, std::int64_t lease, const leader_mark& mark) {
    const auto own = keys_.find(key);
    const bool is_there = own != keys_.end() && own->second.created == created && own->second.lease == lease;
    if (!is_there && planted_ != mistake::stale_leader_writes) return false;
    const bool is_later = lead_.mark.term == mark.term && lead_.mark.version >= mark.version;
    if (is_later && planted_ != mistake::version_falls) return true;
    ++revision_;
    set_lead({.mark = mark, .lease = planted_ == mistake::value_outlives_lease ? 0 : lease});
    return true;
}

void store::set_lead(const proclaimed& to) {
    earlier_ = std::exchange(lead_, to);
    lead_changed();
}

void store::bury(const name& key, const name& grave, std::int64_t lease, bool leaves_grave) {
    if (!leases_.contains(lease)) return;
    remove(key);
    if (leaves_grave) graves_.emplace(grave, lease);
}

} // namespace redlock::etcd::model
