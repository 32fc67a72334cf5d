#include "engines/etcd/line/joint_call.hpp"

#include "engines/etcd/line/joint_calls.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <memory>
#include <vector>

namespace redlock::etcd {

namespace {

// A quarter of what etcd takes by default, and so many bytes that several fit what HTTP/2 lets through at
// first.
constexpr std::size_t most_parts = 32;
constexpr std::size_t most_bytes = 16'384;

const method& method_of(const joint_part& alone) {
    return alone.kind() == messages::operation_kind::removal ? methods::delete_range : methods::txn;
}

joint_part& take_first(turn::live_list<joint_part>& from) {
    joint_part& first = from.front();
    from.pop_front();
    return first;
}

bool has_subject(const turn::live_list<joint_part>& parts, std::string_view subject) {
    return std::ranges::any_of(parts, [&](const joint_part& p) { return p.subject() == subject; });
}

/// One part alone may be what the server refused the whole for.
bool may_be_about_one(const failure& why) {
    return !why.in_doubt &&
           (why.status == status_code::not_found || why.status == status_code::permission_denied ||
            why.status == status_code::invalid_argument);
}

} // namespace

joint_call::joint_call(const method& m, std::string_view request, turn::live_list<joint_part>& parts,
                       joint_calls& by)
    : call(m, request), by_(by) {
    parts_.swap(parts);
}

// Those that outlast a connection are not kept from doing so by one that does not.
joint_call& joint_call::of_first(turn::live_list<joint_part>& waiting, joint_calls& by) {
    assert(!waiting.empty());
    turn::live_list<joint_part> parts;
    const bool outlasts = waiting.front().outlasts_connection();
    std::size_t count = 0;
    std::size_t size = 0;
    do {
        size += waiting.front().request().size();
        parts.push_back(take_first(waiting));
        ++count;
    } while (
        !waiting.empty() && count < most_parts && size + waiting.front().request().size() <= most_bytes &&
        waiting.front().outlasts_connection() == outlasts && !has_subject(parts, waiting.front().subject()));
    if (count == 1) {
        const joint_part& alone = parts.front();
        return *new joint_call(method_of(alone), alone.request(), parts, by);
    }
    std::string request;
    for (const joint_part& each : parts)
        append_operation(request, each.kind(), each.request());
    return *new joint_call(methods::txn, request, parts, by);
}

joint_call::~joint_call() {
    while (!parts_.empty())
        delete &parts_.front();
}

void joint_call::answered(std::string_view response, core::instant sent_at) noexcept {
    const std::unique_ptr<joint_call> until_told(this);
    if (!turn::has_several(parts_)) return take_first(parts_).answered(response, sent_at);
    std::vector<std::string> answers;
    const auto count = static_cast<std::size_t>(std::distance(parts_.begin(), parts_.end()));
    if (const auto wrong = messages::read_operations(response, count, answers);
        wrong != messages::fault::none)
        return fail_all(
            {.why = errc::protocol_error,
             .in_doubt = true,
             .text = "answered a transaction with what " + std::string(messages::describe(wrong))});
    for (const std::string& each : answers)
        take_first(parts_).answered(each, sent_at);
}

void joint_call::failed(const failure& why) noexcept {
    const std::unique_ptr<joint_call> until_told(this);
    if (turn::has_several(parts_) && may_be_about_one(why)) return by_.submit_each(parts_);
    fail_all(why);
}

void joint_call::fail_all(const failure& why) noexcept {
    while (!parts_.empty())
        take_first(parts_).failed(why);
}

bool joint_call::outlasts_connection() const noexcept {
    return std::ranges::all_of(parts_, [](const joint_part& p) { return p.outlasts_connection(); });
}

} // namespace redlock::etcd
