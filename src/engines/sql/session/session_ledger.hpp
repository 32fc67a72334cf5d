#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

namespace redlock::sql {

/// What a session has locked, or is being asked to lock. An advisory lock knows no token: its session may
/// take it twice, and whoever of the session gives it back gives back what is there. So this decides what may
/// be sent: a key is asked for only while nobody of this client has it, and given back once, by whoever has
/// it, over the session that took it. Does no I/O.
class session_ledger {
public:
    enum class verdict {
        send,
        gone, ///< the session does not have it for this token
        busy  ///< somebody of this client has it, or asks for it
    };

    /// It is asked for, unless it is busy.
    verdict acquire(std::string_view key, std::string_view token);
    /// What the server said to that.
    void answered(std::string_view key, std::string_view token, bool granted);
    /// It is given back, unless it is gone.
    verdict release(std::string_view key, std::string_view token);
    /// Whether it may be renewed, or handed on.
    verdict keep(std::string_view key, std::string_view token) const;
    /// Whatever it had is nobody's any more.
    void session_ended() noexcept { keys_.clear(); }

    std::size_t size() const noexcept { return keys_.size(); }

private:
    struct entry {
        std::string token;
        bool held = false; ///< rather than asked for
    };

    std::unordered_map<std::string, entry> keys_;
};

} // namespace redlock::sql
