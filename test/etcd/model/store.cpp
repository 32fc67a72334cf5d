#include "etcd/model/store.hpp"

#include <limits>
#include <vector>

namespace redlock::etcd::model {

namespace {

constexpr std::int64_t latest = std::numeric_limits<std::int64_t>::max();

} // namespace

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
    std::erase_if(graves_, [&](const auto& each) { return each.second == lease; });
}

void store::expire(core::instant now) {
    std::vector<std::int64_t> over;
    for (const auto& [id, l] : leases_)
        if (l.ends <= now) over.push_back(id);
    for (const std::int64_t id : over)
        revoke(id);
}

const std::pair<const store::name, store::entry>* store::newest_before(std::int64_t created) const {
    const std::pair<const name, entry>* found = nullptr;
    for (const auto& each : keys_)
        if (each.second.created < created && (!found || each.second.created > found->second.created))
            found = &each;
    return found;
}

const std::pair<const store::name, store::entry>* store::oldest() const {
    const std::pair<const name, entry>* found = nullptr;
    for (const auto& each : keys_)
        if (!found || each.second.created < found->second.created) found = &each;
    return found;
}

store::answer store::acquire(const name& key, const name& grave, std::int64_t lease) {
    if (!leases_.contains(lease)) return {.said = {.what = verdict::kind::lease_gone}};
    if (graves_.contains(grave)) return {.said = {.what = verdict::kind::displaced}};
    answer a{.said = {.what = verdict::kind::first}, .inner_revision = revision_};
    if (const auto* const last = newest_before(latest)) {
        a.said = {.what = verdict::kind::behind, .predecessor = last->second.created};
        a.predecessor = last->first;
    }
    entry& own = keys_[key];
    ++revision_;
    if (own.created == 0) own.created = revision_;
    own.modified = revision_;
    own.lease = lease;
    a.created = own.created;
    a.modified = revision_;
    return a;
}

store::answer store::confirm(const name& key, std::int64_t created, std::int64_t modified) {
    const auto own = keys_.find(key);
    if (own == keys_.end() || own->second.created != created)
        return {.said = {.what = verdict::kind::displaced}};
    answer a{.said = {.what = verdict::kind::first}, .created = created, .inner_revision = revision_};
    if (const auto* const other = newest_before(created)) {
        a.said = {.what = verdict::kind::behind, .predecessor = other->second.created};
        a.predecessor = other->first;
    } else if (own->second.modified == modified) {
        own->second.modified = ++revision_;
    }
    a.modified = own->second.modified;
    return a;
}

void store::remove(const name& key, std::optional<std::int64_t> created) {
    const auto own = keys_.find(key);
    if (own != keys_.end() && (!created || own->second.created == *created)) erase(key);
}

void store::bury(const name& key, const name& grave, std::int64_t lease, bool leaves_grave) {
    if (!leases_.contains(lease)) return;
    remove(key, {});
    if (leaves_grave) graves_.emplace(grave, lease);
}

} // namespace redlock::etcd::model
