#include "engines/etcd/questions/holder.hpp"

#include "core/holder_value.hpp"
#include "core/printable.hpp"
#include "engines/etcd/rule/key_names.hpp"

#include <charconv>

namespace redlock::etcd {

namespace {

constexpr std::size_t longest_try_name = 64;

} // namespace

std::string holder_request(std::string_view queue) {
    using messages::range_request;
    std::string text;
    append(text, range_request{.key = std::string(queue),
                               .range_end = key_names::behind(std::string(queue)),
                               .limit = 1,
                               .sorted = range_request::order::ascending,
                               .by = range_request::target::created});
    return text;
}

std::optional<holder> holder_in(const messages::range_result& found, std::string_view queue) {
    if (found.found.empty() || !found.found.front().key.starts_with(queue)) return std::nullopt;
    const messages::key_value& first = found.found.front();
    holder h{.try_name = core::printable(std::string_view(first.key).substr(queue.size()), longest_try_name),
             .label = {},
             .fencing_token = static_cast<std::uint64_t>(first.modified),
             .lease = first.lease,
             .waiting = found.count > 1 ? static_cast<std::uint64_t>(found.count - 1) : 0};
    // The token stands in the value where the key was written for another reason since.
    const std::string_view value = first.value;
    const std::size_t end = value.find(':');
    if (end == value.npos) return h;
    std::uint64_t token = 0;
    const auto [behind, error] = std::from_chars(value.data(), value.data() + end, token);
    if (end > 0 && error == std::errc() && behind == value.data() + end) h.fencing_token = token;
    h.label = core::printable(value.substr(end + 1), core::longest_label);
    return h;
}

} // namespace redlock::etcd
