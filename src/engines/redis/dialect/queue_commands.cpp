#include "engines/redis/dialect/queue_commands.hpp"

#include "core/queue/queued_contender.hpp"
#include "engines/redis/dialect/script_words.hpp"
#include "engines/redis/dialect/sight_text.hpp"
#include "engines/redis/resp/command.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace redlock::redis {

namespace {

// Of a queue in which nobody has shown that it waits: nobody in it is believed to do so any more.
constexpr auto life_of_queue = std::chrono::ceil<std::chrono::milliseconds>(core::longest_belief);

} // namespace

std::string channel_of(std::string_view client_name) { return std::string("redlock:").append(client_name); }

command_form hear_command::put_for(const server_dialect&) {
    if (lacks(command_form::only)) encode(command_form::only, {"SUBSCRIBE", channel_of(client_.text())});
    return command_form::only;
}

command_form enter_queue_command::put_for(const server_dialect& d) {
    tag_keys(d.tags_keys());
    const command_form form = d.run(script::queue);
    if (!lacks(form)) return form;
    const std::string_view queue = queue_key_of(claim_.full_key);
    const resp::decimal ticket(claim_.ticket());
    const resp::decimal life(entry_.life.count());
    const resp::decimal entered(entry_.entered_at.count());
    std::string entered_at(entry_.untold ? "0" : "");
    entered_at.append(std::string_view(entered));
    const resp::decimal believed(entry_.believed.count());
    assert(entry_.believed <= life_of_queue);
    const resp::decimal queue_life(life_of_queue.count());
    const std::string_view ending = encoder_.ending(false);
    // Another entry would stand beside the one before, for its text is another one.
    const std::string_view words[] = {claim_.full_key, queue,    claim_.token(), ticket, life,
                                      entered_at,      believed, queue_life,     ending, "1"};
    encode(form, script_words(form, std::span(words).first(entry_.again ? 10 : ending.empty() ? 8 : 9)));
    return form;
}

queue_answer read_queue(command_form sent, const resp::reply& reply) noexcept {
    using kind = queue_answer::kind;
    using std::chrono::milliseconds;
    if (reply.is(resp::kind::error))
        return {.what = lacks_form(sent, reply.text()) ? kind::unknown_form : kind::error,
                .words = reply.text()};
    const resp::reply outcome = reply.first();
    if (outcome.integer() == 1) {
        const bool tells = reply.is(resp::kind::array) && reply.size() == 2;
        return {.what = kind::ours, .first_waiting = tells ? outcome.next().text() : std::string_view()};
    }
    if (!reply.is(resp::kind::array) || reply.size() < 5 || reply.size() > 6) return {.what = kind::error};
    const resp::reply value = outcome.next();
    const resp::reply life = value.next();
    const resp::reply ahead = life.next();
    const resp::reply told = ahead.next();
    const auto strangers = reply.size() == 6 ? read_sight(told.next().text()) : std::nullopt;
    if (value.text().empty() && reply.size() == 5) return {.what = kind::useless};
    constexpr std::int64_t longest = std::int64_t{1} << 53;
    constexpr std::int64_t most_ahead = std::numeric_limits<std::uint16_t>::max();
    const auto ahead_count = static_cast<unsigned>(std::clamp<std::int64_t>(ahead.integer(), 0, most_ahead));
    if (value.text().empty()) {
        constexpr std::int64_t longest_door =
            std::chrono::floor<std::chrono::microseconds>(core::open_door::longest).count();
        if (!strangers) return {.what = kind::error};
        return {.what = kind::open,
                .open_for =
                    std::chrono::microseconds(std::clamp<std::int64_t>(life.integer(), 0, longest_door)),
                .ahead = ahead_count,
                .holder_told = true,
                .strangers = strangers};
    }
    return {.what = kind::held,
            .holder = value.text(),
            .left =
                life.integer() < 0 ? milliseconds::max() : milliseconds(std::min(life.integer(), longest)),
            .ahead = ahead_count,
            .holder_told = told.integer() > 0,
            .cannot_tell = told.integer() < 0,
            .strangers = strangers};
}

} // namespace redlock::redis
