#include "engines/etcd/questions/holders.hpp"

#include "core/election/leader_record.hpp"
#include "core/holder_value.hpp"
#include "core/printable.hpp"
#include "engines/etcd/messages/transaction.hpp"
#include "engines/etcd/rule/key_names.hpp"
#include "engines/etcd/rule/transactions.hpp"
#include "engines/etcd/rule/try_names.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

namespace redlock::etcd {

namespace {

using messages::key_value;
using messages::range_result;

constexpr std::size_t longest_try_name = 64;

messages::operation oldest_of(std::string beginning, std::size_t most) {
    std::string behind = key_names::behind(beginning);
    return {messages::range_request{.key = std::move(beginning),
                                    .range_end = std::move(behind),
                                    .limit = static_cast<std::int64_t>(most),
                                    .sorted = messages::range_request::order::ascending,
                                    .by = messages::range_request::target::created}};
}

holder holder_of(const key_value& its, std::size_t beginning) {
    const std::string name = core::printable(std::string_view(its.key).substr(beginning), longest_try_name);
    holder h{.try_name = shown_try(name, its.created),
             .label = {},
             .fencing_token = static_cast<std::uint64_t>(its.modified),
             .lease = its.lease};
    // The token stands in the value where the key was written for another reason since.
    const std::string_view value = its.value;
    const std::size_t end = value.find(':');
    if (end == value.npos) return h;
    if (const std::uint64_t token = shown_token(value)) h.fencing_token = token;
    h.label = core::printable(value.substr(end + 1), core::longest_label);
    return h;
}

/// Nobody else has it where the first key is of one who writes. Behind one who was downgraded that one waits.
holders holders_in(const range_result& oldest, const range_result& downgraded, const std::string& queue,
                   std::size_t most) {
    const std::string reading = key_names::readers(queue), before = key_names::downgraded(queue);
    holders found;
    for (const key_value& each : downgraded.found)
        if (each.key.starts_with(before)) found.readers.push_back(holder_of(each, before.size()));
    std::size_t in_a_row = 0;
    for (const key_value& each : oldest.found) {
        if (each.key.starts_with(reading))
            found.readers.push_back(holder_of(each, reading.size()));
        else if (!each.key.starts_with(before))
            break;
        ++in_a_row;
    }
    if (found.readers.empty() && !oldest.found.empty())
        found.writer = holder_of(oldest.found.front(), queue.size());
    const bool all_read = in_a_row == oldest.found.size();
    found.more_readers = (oldest.more && all_read) || downgraded.more || found.readers.size() > most;
    if (found.readers.size() > most)
        found.readers.erase(found.readers.begin() + static_cast<std::ptrdiff_t>(most), found.readers.end());
    const std::size_t have_it = found.readers.size() + found.writer.has_value();
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(oldest.count, 0));
    found.waiting = !found.more_readers && count > have_it ? count - have_it : 0;
    return found;
}

const range_result* range_in(const messages::transaction_result& t, std::size_t part) {
    return part < t.results.size() ? std::get_if<range_result>(&t.results[part].what) : nullptr;
}

} // namespace

bool holders::has_token(std::uint64_t fencing_token) const noexcept {
    const auto has_it = [&](const holder& h) { return h.fencing_token == fencing_token; };
    return (writer && has_it(*writer)) || std::ranges::any_of(readers, has_it);
}

std::string holders_request(const std::string& queue, std::size_t most, const std::string& leader) {
    messages::transaction_request both{
        .when = {},
        .then = {oldest_of(queue, most), oldest_of(key_names::downgraded(queue), most)},
        .otherwise = {}};
    if (!leader.empty()) both.then.push_back({messages::range_request{.key = leader}});
    std::string text;
    append(text, both);
    return text;
}

std::optional<holders> read_holders(std::string_view response, const std::string& queue, std::size_t most) {
    messages::reply<messages::transaction_result> read;
    if (messages::read(response, read) != messages::fault::none) return std::nullopt;
    const range_result* const oldest = range_in(read.content, 0);
    const range_result* const downgraded = range_in(read.content, 1);
    if (!oldest || !downgraded) return std::nullopt;
    holders found = holders_in(*oldest, *downgraded, queue, most);
    const range_result* const leader = range_in(read.content, 2);
    if (!found.writer || !leader || leader->found.empty()) return found;
    auto proclaimed = core::read_leader_record(leader->found.front().value);
    // Of somebody else it would say nothing of this one.
    if (proclaimed && proclaimed->mark.term == found.writer->fencing_token)
        found.leader = std::move(proclaimed);
    return found;
}

} // namespace redlock::etcd
