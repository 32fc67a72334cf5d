#include "engines/redis/dialect/answers.hpp"

#include "core/election/leader_knowledge.hpp"
#include "core/mistake.hpp"
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

bool grants_reading(const resp::reply& reply) noexcept {
    return reply.is(resp::kind::array) && reply.first().integer() == 1;
}

server_error read_error(const resp::reply& reply) noexcept { return error_in(reply.text()); }

namespace {

/// Of a command for so many keys: an answer about all of them, whose exceptions `note` is told. It says
/// whether there can be such a one.
template <class Answer, class Note>
Answer read_joint(command_form sent, const resp::reply& reply, unsigned keys, Note note) noexcept {
    using kind = typename Answer::kind;
    if (reply.is(resp::kind::error)) {
        const bool unknown = lacks_form(sent, reply.text());
        return {.what = unknown ? kind::unknown_form : kind::error, .error = error_in(reply.text())};
    }
    const Answer nonsense{.what = kind::error, .error = {.meaning = errc::protocol_error, .words = {}}};
    if (!reply.is(resp::kind::array) || reply.size() > keys) return nonsense;
    Answer said{.what = kind::done};
    for (resp::reply each = reply.first(); !each.end(); each = each.next())
        if (!note(said, each)) return nonsense;
    return said;
}

std::int64_t number_of(const resp::reply& written) noexcept {
    return written.first().next().next().next().integer();
}

bool is_number_of(std::int64_t number, unsigned keys) noexcept {
    return number >= 1 && number <= static_cast<std::int64_t>(keys);
}

} // namespace

joint_release_answer read_joint_release(command_form sent, const resp::reply& reply, unsigned keys) noexcept {
    const auto note = [keys](joint_release_answer& said, const resp::reply& each) {
        const std::int64_t number = each.integer();
        if (!is_number_of(number, keys)) return false;
        said.not_ours.set(static_cast<std::size_t>(number - 1));
        return true;
    };
    return read_joint<joint_release_answer>(sent, reply, keys, note);
}

joint_read_answer read_joint_read(command_form sent, const resp::reply& reply, unsigned keys) noexcept {
    const auto note = [keys](joint_read_answer& said, const resp::reply& each) {
        if (!each.is(resp::kind::array) || !is_number_of(number_of(each), keys)) return false;
        said.written.set(static_cast<std::size_t>(number_of(each) - 1));
        return true;
    };
    auto said = read_joint<joint_read_answer>(sent, reply, keys, note);
    said.whole = &reply;
    return said;
}

std::string_view joint_read_answer::holder(unsigned key) const noexcept {
    resp::reply each = whole->first();
    while (!each.end() && number_of(each) != static_cast<std::int64_t>(key) + 1)
        each = each.next();
    return each.first().next().next().text();
}

joint_extend_answer read_joint_extend(command_form sent, const resp::reply& reply, unsigned keys) noexcept {
    const auto note = [keys](joint_extend_answer& said, const resp::reply& each) {
        const std::int64_t number = each.integer();
        if (number < -static_cast<std::int64_t>(keys)) return false;
        const std::int64_t key = number < 0 ? -number : number;
        if (!is_number_of(key, keys)) return false;
        (number < 0 ? said.put_back : said.not_ours).set(static_cast<std::size_t>(key - 1));
        return true;
    };
    return read_joint<joint_extend_answer>(sent, reply, keys, note);
}

extend_answer read_extend(command_form sent, const resp::reply& reply) noexcept {
    using kind = extend_answer::kind;
    if (reply.is(resp::kind::error))
        return {lacks_form(sent, reply.text()) ? kind::unknown_form : kind::error, reply};
    if (reply.integer() == 1) return {kind::extended, reply};
    if (reply.integer() == 3) return {kind::others_read, reply};
    return {reply.integer() == 2 ? kind::put_back : kind::not_ours, reply};
}

std::chrono::milliseconds time_of_readers(const resp::reply& reply) noexcept {
    constexpr std::int64_t day = 24 * 3600 * 1000;
    return std::chrono::milliseconds(std::clamp<std::int64_t>(reply.first().next().integer(), 1, day));
}

clear_answer read_clear(command_form sent, const resp::reply& reply) noexcept {
    if (reply.is(resp::kind::error))
        return lacks_form(sent, reply.text()) ? clear_answer::unknown_form : clear_answer::error;
    const std::int64_t said = reply.first().integer();
    if (said == 1) return clear_answer::clear;
    if (said == 2) return clear_answer::others_read;
    return said == 3 ? clear_answer::missing : clear_answer::not_ours;
}

readers_answer read_readers(command_form sent, const resp::reply& reply) {
    // No token of this library is so long, and no other entry is a reader's.
    constexpr std::size_t longest = 128;
    constexpr std::int64_t most_time = std::int64_t{1} << 53;
    readers_answer said;
    if (reply.is(resp::kind::error)) {
        said.unknown_form = lacks_form(sent, reply.text());
        return said;
    }
    if (!reply.is(resp::kind::array) || reply.size() > 2 * (readers_answer::most + 1)) return said;
    said.is_told = true;
    for (resp::reply entry = reply.first(); !entry.end();) {
        const resp::reply left = entry.next();
        const std::string_view value = entry.text();
        const bool is_one = !value.empty() && value.size() <= longest && left.integer() > 0;
        if (is_one && said.entries.size() == readers_answer::most) said.are_more = true;
        if (is_one && !said.are_more)
            said.entries.push_back({value, std::chrono::milliseconds(std::min(left.integer(), most_time))});
        if (left.end()) break;
        entry = left.next();
    }
    return said;
}

namespace {

kind_of_advance advanced_to(std::int64_t number) noexcept {
    using enum kind_of_advance;
    if (number <= 0) return not_ours;
    return number > static_cast<std::int64_t>(core::highest_fence) ? too_high : raised;
}

// Of one whose own command would fail, or that has an answer which is no number.
constexpr std::int64_t fails = -1;

} // namespace

advance_answer read_advance(command_form sent, const resp::reply& reply) noexcept {
    using kind = advance_answer::kind;
    if (reply.is(resp::kind::error))
        return {lacks_form(sent, reply.text()) ? kind::unknown_form : kind::error, reply};
    return {advanced_to(reply.integer()), reply};
}

// Which answer is whose is said by its place alone: there is one for each, or none at all.
joint_advance_answer read_joint_advance(command_form sent, const resp::reply& reply, unsigned keys) noexcept {
    std::size_t key = 0;
    const auto note = [&key, keys](joint_advance_answer& said, const resp::reply& each) {
        const std::size_t whose = planted(core::mistake::answer_of_next_fence) ? (key + 1) % keys : key;
        said.numbers[whose] = each.is(resp::kind::integer) ? each.integer() : fails;
        ++key;
        return true;
    };
    auto said = read_joint<joint_advance_answer>(sent, reply, keys, note);
    if (said.what == joint_advance_answer::kind::done && key != keys)
        said = {.what = joint_advance_answer::kind::error,
                .error = {.meaning = errc::protocol_error, .words = {}}};
    return said;
}

kind_of_advance joint_advance_answer::of(unsigned key) const noexcept {
    return numbers[key] == fails ? kind_of_advance::error : advanced_to(numbers[key]);
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

proclaim_answer read_proclaim(command_form sent, const resp::reply& reply) noexcept {
    if (reply.is(resp::kind::error))
        return lacks_form(sent, reply.text()) ? proclaim_answer::unknown_form : proclaim_answer::error;
    return reply.integer() == 1 ? proclaim_answer::done : proclaim_answer::not_ours;
}

leader_answer read_leader(const resp::reply& reply) noexcept {
    using kind = leader_answer::kind;
    const value_answer said = read_value(reply);
    if (said.what == value_answer::kind::error) return {.what = kind::error, .error = said.error};
    if (said.what == value_answer::kind::none) return {.what = kind::none};
    const leader_answer nonsense{.what = kind::error,
                                 .error = {.meaning = errc::protocol_error, .words = {}}};
    leader_answer found{.what = kind::leader};
    const char* at = said.value.data();
    const char* const end = at + said.value.size();
    for (std::uint64_t* const number : {&found.mark.term, &found.mark.version}) {
        const auto [behind, fault] = std::from_chars(at, end, *number);
        if (fault != std::errc() || *number == 0 || behind == end || *behind != ':') return nonsense;
        at = behind + 1;
    }
    found.value = {at, static_cast<std::size_t>(end - at)};
    if (found.mark.term > core::highest_fence || found.mark.version > core::highest_fence ||
        found.value.size() > max_leader_value_size)
        return nonsense;
    return found;
}

} // namespace redlock::redis
