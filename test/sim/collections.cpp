#include "sim/collections.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

namespace redlock::sim {

namespace {

value syntax_error() { return value::error("ERR syntax error"); }

} // namespace

/// How ZADD is to treat members, and what came of it.
struct sorted_set::addition {
    bool only_new = false;
    bool only_present = false;
    bool only_greater = false;
    bool only_less = false;
    bool counts_changes = false;
    std::int64_t added = 0;
    std::int64_t changed = 0;

    bool take(std::string_view option) noexcept {
        bool* const known = option == "NX"   ? &only_new
                            : option == "XX" ? &only_present
                            : option == "GT" ? &only_greater
                            : option == "LT" ? &only_less
                            : option == "CH" ? &counts_changes
                                             : nullptr;
        if (known) *known = true;
        return known;
    }
};

effect sorted_set::call(std::string_view name, const words& command) {
    if (name == "ZADD") return add(command);
    if (name == "ZREM") return remove(command);
    if (name == "ZREMRANGEBYSCORE") return remove_by_score(command);
    if (name == "ZPOPMIN") return pop_first(command);
    if (name == "ZRANGE") return {range(command)};
    if (name == "ZRANGEBYSCORE") return {range_by_score(command)};
    if (name == "ZCARD") return {value::integer(static_cast<std::int64_t>(scores_.size()))};
    if (name == "ZRANK") return {rank(command[2])};
    assert(name == "ZSCORE");
    const auto found = scores_.find(command[2]);
    return {found == scores_.end() ? value::nil() : value::text(text_of(found->second))};
}

effect sorted_set::add(const words& command) {
    addition how;
    std::size_t first = 2;
    while (first < command.size() && how.take(upper(command[first])))
        ++first;
    if (first == command.size() || (command.size() - first) % 2 != 0) return {syntax_error()};
    if (how.only_new && how.only_present)
        return {value::error("ERR XX and NX options at the same time are not compatible")};
    if (how.only_new + how.only_greater + how.only_less > 1)
        return {value::error("ERR GT, LT, and/or NX options at the same time are not compatible")};
    std::vector<double> scores;
    for (std::size_t i = first; i < command.size(); i += 2) {
        const auto score = number_in(command[i]);
        if (!score) return {value::error("ERR value is not a valid float")};
        scores.push_back(*score);
    }
    for (std::size_t i = 0; i < scores.size(); ++i)
        add(how, scores[i], command[first + 2 * i + 1]);
    const std::int64_t touched = how.added + how.changed;
    return {value::integer(how.counts_changes ? touched : how.added), touched > 0 ? "zadd" : ""};
}

void sorted_set::add(addition& how, double score, const std::string& member) {
    const auto found = scores_.find(member);
    if (found == scores_.end()) {
        if (how.only_present) return;
        ++how.added;
    } else {
        const double old = found->second;
        if (how.only_new || score == old || (how.only_greater && score < old) ||
            (how.only_less && score > old))
            return;
        ++how.changed;
        erase(found);
    }
    scores_.emplace(member, score);
    order_.emplace(score, member);
}

void sorted_set::erase(by_member::const_iterator member) {
    order_.erase({member->second, member->first});
    scores_.erase(member);
}

effect sorted_set::remove(const words& command) {
    std::int64_t removed = 0;
    for (std::size_t i = 2; i < command.size(); ++i)
        if (const auto found = scores_.find(command[i]); found != scores_.end()) {
            erase(found);
            ++removed;
        }
    return {value::integer(removed), removed > 0 ? "zrem" : ""};
}

effect sorted_set::remove_by_score(const words& command) {
    const auto least = number_in(command[2]);
    const auto most = number_in(command[3]);
    if (!least || !most) return {value::error("ERR min or max is not a float")};
    std::vector<std::string> gone;
    for (const auto& [score, member] : order_)
        if (score >= *least && score <= *most) gone.push_back(member);
    for (const std::string& member : gone)
        erase(scores_.find(member));
    return {value::integer(static_cast<std::int64_t>(gone.size())), gone.empty() ? "" : "zremrangebyscore"};
}

effect sorted_set::pop_first(const words& command) {
    if (command.size() > 3) return {syntax_error()};
    const auto count = command.size() == 3 ? integer_in(command[2]) : 1;
    if (!count || *count < 0) return {value::error("ERR value is out of range, must be positive")};
    std::vector<value> popped;
    for (std::int64_t i = 0; i < *count && !empty(); ++i) {
        const auto [score, member] = *order_.begin();
        popped.push_back(value::text(member));
        popped.push_back(value::text(text_of(score)));
        erase(scores_.find(member));
    }
    const bool any = !popped.empty();
    return {value::array(std::move(popped)), any ? "zpopmin" : ""};
}

value sorted_set::rank(const std::string& member) const {
    const auto found = scores_.find(member);
    if (found == scores_.end()) return value::nil();
    return value::integer(std::distance(order_.begin(), order_.find({found->second, member})));
}

value sorted_set::range(const words& command) const {
    const bool with_scores = command.size() == 5 && upper(command[4]) == "WITHSCORES";
    if (command.size() > 4 && !with_scores) return syntax_error();
    const auto start = integer_in(command[2]);
    const auto stop = integer_in(command[3]);
    if (!start || !stop) return value::error("ERR value is not an integer or out of range");
    const auto size = static_cast<std::int64_t>(order_.size());
    const auto from_front = [size](std::int64_t i) {
        return std::max<std::int64_t>(i < 0 ? i + size : i, 0);
    };
    const std::int64_t last = *stop < -size ? -1 : std::min(from_front(*stop), size - 1);
    std::vector<value> found;
    std::int64_t i = 0;
    for (const auto& [score, member] : order_) {
        if (i >= from_front(*start) && i <= last) {
            found.push_back(value::text(member));
            if (with_scores) found.push_back(value::text(text_of(score)));
        }
        ++i;
    }
    return value::array(std::move(found));
}

value sorted_set::range_by_score(const words& command) const {
    if (command.size() > 4) return syntax_error();
    const auto least = number_in(command[2]);
    const auto most = number_in(command[3]);
    if (!least || !most) return value::error("ERR min or max is not a float");
    std::vector<value> found;
    for (const auto& [score, member] : order_)
        if (score >= *least && score <= *most) found.push_back(value::text(member));
    return value::array(std::move(found));
}

effect hash::call(std::string_view name, const words& command) {
    if (name == "HSET") return set(command);
    if (name == "HDEL") return remove(command);
    if (name == "HINCRBY") return increase(command);
    assert(name == "HGET");
    const auto found = fields_.find(command[2]);
    return {found == fields_.end() ? value::nil() : value::text(found->second)};
}

effect hash::set(const words& command) {
    if (command.size() % 2 != 0) return {value::error("ERR wrong number of arguments for 'hset' command")};
    std::int64_t added = 0;
    for (std::size_t i = 2; i < command.size(); i += 2)
        added += fields_.insert_or_assign(command[i], command[i + 1]).second;
    return {value::integer(added), "hset"};
}

effect hash::remove(const words& command) {
    std::int64_t removed = 0;
    for (std::size_t i = 2; i < command.size(); ++i)
        removed += static_cast<std::int64_t>(fields_.erase(command[i]));
    return {value::integer(removed), removed > 0 ? "hdel" : ""};
}

effect hash::increase(const words& command) {
    const auto by = integer_in(command[3]);
    if (!by) return {value::error("ERR value is not an integer or out of range")};
    const auto found = fields_.find(command[2]);
    const auto old = found == fields_.end() ? 0 : integer_in(found->second);
    if (!old) return {value::error("ERR hash value is not an integer")};
    using limits = std::numeric_limits<std::int64_t>;
    if (*by < 0 ? *old < limits::min() - *by : *old > limits::max() - *by)
        return {value::error("ERR increment or decrement would overflow")};
    fields_[command[2]] = std::to_string(*old + *by);
    return {value::integer(*old + *by), "hincrby"};
}

} // namespace redlock::sim
