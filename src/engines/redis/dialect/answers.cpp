#include "engines/redis/dialect/answers.hpp"

#include "core/quorum/fence_rule.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace redlock::redis {

namespace {

server_error error_in(std::string_view words) noexcept {
    return {.meaning = meaning_of_server_error(words), .words = words};
}

/// A score is a number of its own kind in RESP3, and text in RESP2.
std::optional<std::uint64_t> fence_in(const resp::reply& reply) noexcept {
    constexpr auto most = static_cast<double>(core::highest_fence);
    if (reply.is(resp::kind::real)) {
        if (!(reply.real() >= 0 && reply.real() <= most)) return std::nullopt; // nor is it NaN
        return static_cast<std::uint64_t>(reply.real());
    }
    const std::string_view text = reply.text();
    std::uint64_t found = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), found);
    return error == std::errc() && found <= core::highest_fence ? std::optional(found) : std::nullopt;
}

} // namespace

template <class Kind>
server_error formed_answer<Kind>::error() const noexcept {
    return error_in(reply_->text());
}
template class formed_answer<kind_of_set>;
template class formed_answer<kind_of_release>;
template class formed_answer<kind_of_extension>;
template class formed_answer<kind_of_advance>;

joint_release_answer read_joint_release(command_form sent, const resp::reply& reply, unsigned keys) noexcept {
    using kind = joint_release_answer::kind;
    if (reply.is(resp::kind::error)) {
        const bool unknown = lacks_form(sent, reply.text());
        return {.what = unknown ? kind::unknown_form : kind::error, .error = error_in(reply.text())};
    }
    const joint_release_answer nonsense{.what = kind::error,
                                        .error = {.meaning = errc::protocol_error, .words = {}}};
    if (!reply.is(resp::kind::array) || reply.size() > keys) return nonsense;
    joint_release_answer said{.what = kind::done};
    for (resp::reply number = reply.first(); !number.end(); number = number.next()) {
        if (number.integer() < 1 || number.integer() > static_cast<std::int64_t>(keys)) return nonsense;
        said.not_ours.set(static_cast<std::size_t>(number.integer() - 1));
    }
    return said;
}

extend_answer read_extend(command_form sent, const resp::reply& reply) noexcept {
    using kind = extend_answer::kind;
    if (reply.is(resp::kind::error))
        return {lacks_form(sent, reply.text()) ? kind::unknown_form : kind::error, reply};
    if (reply.integer() == 1) return {kind::extended, reply};
    return {reply.integer() == 2 ? kind::put_back : kind::not_ours, reply};
}

advance_answer read_advance(command_form sent, const resp::reply& reply) noexcept {
    using kind = advance_answer::kind;
    constexpr auto highest = static_cast<std::int64_t>(core::highest_fence);
    if (reply.is(resp::kind::error))
        return {lacks_form(sent, reply.text()) ? kind::unknown_form : kind::error, reply};
    if (reply.integer() <= 0) return {kind::not_ours, reply};
    return {reply.integer() > highest ? kind::too_high : kind::raised, reply};
}

raise_answer read_raise(const resp::reply& reply) noexcept {
    if (!reply.is(resp::kind::error))
        return reply.integer() == 1 ? raise_answer::raised : raise_answer::not_raised;
    const bool is_for_good =
        says_syntax_error(reply.text()) || meaning_of_server_error(reply.text()) == errc::permission_denied;
    return is_for_good ? raise_answer::cannot : raise_answer::not_raised;
}

life_answer read_life(const resp::reply& reply) noexcept {
    using kind = life_answer::kind;
    if (reply.is(resp::kind::error)) return {.what = kind::error, .error = error_in(reply.text())};
    if (!reply.is(resp::kind::integer))
        return {.what = kind::error, .error = {.meaning = errc::protocol_error, .words = {}}};
    if (reply.integer() == -1) return {.what = kind::endless};
    if (reply.integer() < 0) return {.what = kind::no_key};
    // The longest life that a lock can be given: what is beyond cannot be reckoned with.
    constexpr std::int64_t longest = std::int64_t{1} << 53;
    return {.what = kind::limited, .left = std::chrono::milliseconds(std::min(reply.integer(), longest))};
}

value_answer read_value(const resp::reply& reply) noexcept {
    using kind = value_answer::kind;
    if (reply.is(resp::kind::error)) return {.what = kind::error, .error = error_in(reply.text())};
    if (!reply.is(resp::kind::text)) return {.what = kind::none};
    return {.what = kind::value, .value = reply.text()};
}

fence_answer read_fence(const resp::reply& reply) noexcept {
    using kind = fence_answer::kind;
    if (reply.is(resp::kind::error)) return {.what = kind::error, .error = error_in(reply.text())};
    const std::optional<std::uint64_t> found = fence_in(reply);
    return found ? fence_answer{.what = kind::fence, .fence = *found} : fence_answer{.what = kind::none};
}

std::optional<std::uint32_t> read_listeners(const resp::reply& reply) noexcept {
    const resp::reply number = reply.first().next();
    if (!number.is(resp::kind::integer) || number.integer() < 0) return std::nullopt;
    return static_cast<std::uint32_t>(std::min<std::int64_t>(number.integer(), UINT32_MAX));
}

} // namespace redlock::redis
