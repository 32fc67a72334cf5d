// Transactions for what a holder proclaims, and for what others take away.

#include "engines/etcd/rule/transaction_parts.hpp"

#include <utility>

namespace redlock::etcd {

using namespace parts;

std::string proclaim_request(const stand& s, messages::lease_id lease) {
    transaction_request m{
        .when = {is_there(s), {.key = s.key, .what = comparison::target::lease, .number = lease}},
        .otherwise = {look_at(s.key)}};
    m.then = {{state_record(s, lease)}};
    return text_of(m);
}

proclaimed read_proclaimed(std::string_view response, const stand& s) {
    reply<transaction_result> read;
    if (messages::read(response, read) != messages::fault::none) return proclaimed::unreadable;
    if (read.content.succeeded) return proclaimed::stands;
    const key_value* const own = first_of(read.content, 0);
    return own && own->created == s.created ? proclaimed::moved : proclaimed::key_was_gone;
}

namespace {

comparison is_there(const made_key& k) {
    return {.key = k.key, .what = comparison::target::created, .number = k.created};
}

} // namespace

std::string take_away_request(const std::vector<made_key>& keys) {
    transaction_request all;
    for (const made_key& each : keys) {
        transaction_request one{.when = {is_there(each)}, .then = {erase(each.key)}};
        all.then.push_back({std::move(one)});
    }
    return text_of(all);
}

std::string take_away_request(const made_key& its, const std::string& leader, std::uint64_t term) {
    transaction_request one{.when = {is_there(its)}, .then = {erase(its.key), forget_leader(leader, term)}};
    transaction_request all;
    all.then.push_back({std::move(one)});
    return text_of(all);
}

std::optional<std::size_t> read_taken_away(std::string_view response) {
    reply<transaction_result> read;
    if (messages::read(response, read) != messages::fault::none) return std::nullopt;
    std::size_t removed = 0;
    for (const operation_result& each : read.content.results) {
        const auto* const one = std::get_if<transaction_result>(&each.what);
        if (!one) return std::nullopt;
        removed += one->succeeded;
    }
    return removed;
}

} // namespace redlock::etcd
