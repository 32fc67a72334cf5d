#pragma once

#include "sim/keyspace.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>

struct lua_State;

namespace redlock::sim {

/// Runs the scripts of the library as Redis does: in Lua 5.1, with `redis.call`, `KEYS` and `ARGV`. A server
/// that was started anew knows none of them.
class script_engine {
public:
    explicit script_engine(keyspace& keys);
    script_engine(const script_engine&) = delete;
    script_engine& operator=(const script_engine&) = delete;

    /// `EVAL` or `EVALSHA`.
    value call(const words& command);
    void forget() noexcept { known_.clear(); }

private:
    struct closing {
        void operator()(lua_State* state) const noexcept;
    };

    value run(const std::string& text, const words& command);

    keyspace& keys_;
    std::unique_ptr<lua_State, closing> state_;
    std::map<std::string, int> compiled_; ///< by text: a reference in Lua's registry
    std::set<std::string> known_;         ///< hashes
};

} // namespace redlock::sim
