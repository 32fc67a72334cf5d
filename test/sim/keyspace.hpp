#pragma once

#include "sim/collections.hpp"
#include "sim/command.hpp"
#include "sim/dice.hpp"
#include "sim/value.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace redlock::sim {

/// Told what happens to the keys of a server, by the names of Redis' keyspace events.
class keyspace_listener {
public:
    virtual void key_changed(std::string_view event, const std::string& key) = 0;
    /// Together with the content that was set, which is told as a change of its own.
    virtual void life_changed(const std::string& key) = 0;

protected:
    ~keyspace_listener() = default;
};

/// The keys of one server and the commands on them, with the semantics of Redis: a key runs out on the
/// server's own clock, in milliseconds; it is gone for every command from then on, but is deleted, and
/// `expired` is told, only when a command comes upon it or the server gets round to it.
class keyspace {
public:
    struct entry {
        std::variant<std::string, sorted_set, hash> content;
        std::optional<std::int64_t> expires; ///< in milliseconds of the server's clock
        std::int64_t reaped = 0;             ///< when the server gets round to it, once it has run out

        /// Empty for a collection.
        std::string_view text() const noexcept {
            const auto* const text = std::get_if<std::string>(&content);
            return text ? std::string_view(*text) : std::string_view();
        }
        bool is_text() const noexcept { return std::holds_alternative<std::string>(content); }
    };

    keyspace(keyspace_listener& listener, std::uint64_t seed) : listener_(listener), dice_(seed) {}

    /// How long after its end a key may lie about.
    void set_lag(nanoseconds longest) noexcept { lag_ = longest; }
    /// What the server's clock shows from now on.
    void set_time(std::int64_t milliseconds) noexcept { now_ = milliseconds; }

    /// Knows GET, MGET, SET, DEL, EXISTS, PTTL, PEXPIRE, PEXPIREAT, DELEX, DELIFEQ and what collections know;
    /// an error for any other.
    value call(const words& command);
    /// Whether the command reads its key, and nothing more.
    static bool only_reads(std::string_view command) noexcept;

    /// When `reap` will have something to do.
    std::optional<std::int64_t> next_reaping() const noexcept;
    void reap();

    /// As a command would find it, but without the deletion.
    const entry* look(const std::string& key) const;
    const std::map<std::string, entry>& all() const noexcept { return entries_; }
    void clear() noexcept { entries_.clear(); }
    void replace(std::map<std::string, entry> all) { entries_ = std::move(all); }

private:
    entry* find(const std::string& key);
    bool has_run_out(const entry& e) const noexcept { return e.expires && now_ > *e.expires; }
    static value text_or_nil(const entry* e);
    template <class Collection>
    value call_on(std::string_view name, const words& command);
    value set(const words& command);
    /// `since` is 0 where the command names the end and not how long from now.
    value expire(const words& command, std::int64_t since);
    value count(const words& command);
    value get_all(const words& command);
    value remove_all(const words& command);
    value remove(const std::string& key);
    value remove_if_equal(std::string_view name, const words& command);
    void expire_in(entry& e, std::int64_t milliseconds);

    keyspace_listener& listener_;
    dice dice_;
    nanoseconds lag_{0};
    std::int64_t now_ = 0;
    std::map<std::string, entry> entries_;
};

} // namespace redlock::sim
