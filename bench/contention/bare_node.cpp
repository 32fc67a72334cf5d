#include "contention/bare_node.hpp"

#include "commands.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace bench {

bare_node::bare_node(std::uint16_t port, std::string_view key, std::size_t token) : wire_(port) {
    const auto server = prepare(wire_);
    const caller_commands locks = encode_for(key, token, server);
    const std::string channel = fmt::format("__keyspace@0__:{}", key);
    bytes_ = {encode({"SUBSCRIBE", channel}), encode({"PTTL", key}), locks.acquire,
              encode({"UNSUBSCRIBE", channel}), locks.release};
}

void bare_node::send(std::initializer_list<command> commands) {
    for (const command c : commands) {
        ++sent_;
        wire_.append(bytes_[static_cast<std::size_t>(c)]);
        switch (c) {
        case command::listen:
            was_released_ = was_free_ = granted_ = false;
            continue; // confirmed by a push, as is its end
        case command::stop_listening:
            continue;
        case command::acquire:
            decided_ = false;
            break;
        case command::release:
            released_ = false;
            break;
        case command::look:
            break;
        }
        unanswered_.push_back(c);
    }
    while (!wire_.flush())
        continue;
}

void bare_node::read() {
    wire_.read_lines([this](std::string_view text) { line(text); });
}

void bare_node::line(std::string_view text) {
    if (std::exchange(skips_line_, false)) return;
    if (push_line_ > 0) return push_line(text);
    if (text.starts_with('>')) {
        push_line_ = 1;
        return;
    }
    if (unanswered_.empty())
        throw std::runtime_error(fmt::format("{} answered nothing: {}", wire_.name(), text));
    const command to = unanswered_.front();
    unanswered_.pop_front();
    answer(to, text);
}

// The kind, the channel, and what happened or how many channels there are, the texts with a line for their
// length.
void bare_node::push_line(std::string_view text) {
    if (++push_line_ == 3) push_lines_ = text == "message" ? 7 : 6;
    if (push_line_ < 3 || push_line_ < push_lines_) return;
    push_line_ = 0;
    if (text == "del") was_released_ = true;
}

void bare_node::answer(command to, std::string_view text) {
    if (text.starts_with('-')) throw std::runtime_error(fmt::format("{} answered {}", wire_.name(), text));
    skips_line_ = text.starts_with('$'); // the token of the holder
    if (to == command::look) was_free_ = text == ":-2";
    if (to == command::release) released_ = true;
    if (to != command::acquire) return;
    decided_ = true;
    granted_ = granted_ || text == "_";
}

} // namespace bench
