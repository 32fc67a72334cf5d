#include "engines/sql/session/session_ledger.hpp"

namespace redlock::sql {

session_ledger::verdict session_ledger::acquire(std::string_view key, std::string_view token) {
    const bool is_new = keys_.try_emplace(std::string(key), entry{.token = std::string(token)}).second;
    return is_new ? verdict::send : verdict::busy;
}

void session_ledger::answered(std::string_view key, std::string_view token, bool granted) {
    const auto found = keys_.find(std::string(key));
    if (found == keys_.end() || found->second.token != token || found->second.held) return;
    if (granted)
        found->second.held = true;
    else
        keys_.erase(found);
}

session_ledger::verdict session_ledger::release(std::string_view key, std::string_view token) {
    if (keep(key, token) != verdict::send) return verdict::gone;
    keys_.erase(std::string(key));
    return verdict::send;
}

session_ledger::verdict session_ledger::keep(std::string_view key, std::string_view token) const {
    const auto found = keys_.find(std::string(key));
    const bool has_it = found != keys_.end() && found->second.held && found->second.token == token;
    return has_it ? verdict::send : verdict::gone;
}

} // namespace redlock::sql
