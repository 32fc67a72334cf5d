#pragma once

#include "sim/command.hpp"
#include "sim/value.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace redlock::sim {

/// What a command on a collection comes to. One that is not there is an empty one, and the other way round.
struct effect {
    value reply;
    std::string_view event{}; ///< what happened to the key, by Redis' name; empty if nothing did
};

/// Members with scores, by score and then by the bytes of the member.
class sorted_set {
public:
    /// ZADD, ZREM, ZRANK, ZCARD, ZRANGE, ZRANGEBYSCORE, ZPOPMIN and ZSCORE, whose arity fits.
    effect call(std::string_view name, const words& command);
    bool empty() const noexcept { return scores_.empty(); }

private:
    struct addition;
    using by_member = std::map<std::string, double>;

    effect add(const words& command);
    void add(addition& how, double score, const std::string& member);
    effect remove(const words& command);
    effect remove_by_score(const words& command);
    effect pop_first(const words& command);
    value rank(const std::string& member) const;
    value range(const words& command) const;
    value range_by_score(const words& command) const;
    void erase(by_member::const_iterator member);

    by_member scores_;
    std::set<std::pair<double, std::string>> order_;
};

/// Texts by field.
class hash {
public:
    /// HSET, HGET, HDEL and HINCRBY, whose arity fits.
    effect call(std::string_view name, const words& command);
    bool empty() const noexcept { return fields_.empty(); }

private:
    effect set(const words& command);
    effect remove(const words& command);
    effect increase(const words& command);

    std::map<std::string, std::string> fields_;
};

} // namespace redlock::sim
