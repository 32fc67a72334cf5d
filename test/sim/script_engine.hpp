#pragma once

#include "sim/keyspace.hpp"

#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

struct lua_State;

namespace redlock::sim {

/// What a server answers without looking at its keys.
class keyless_commands {
public:
    /// TIME, PUBLISH and PUBSUB NUMSUB, whose arity fits, and what the server is too old for; nothing for any
    /// other command.
    virtual std::optional<value> answer(const words& command) = 0;

protected:
    ~keyless_commands() = default;
};

/// Runs the scripts of the library as Redis does: in Lua 5.1, with `redis.call`, `redis.pcall`, `KEYS` and
/// `ARGV`. A server that was started anew knows none of them.
class script_engine {
public:
    script_engine(keyspace& keys, keyless_commands& others);
    script_engine(const script_engine&) = delete;
    script_engine& operator=(const script_engine&) = delete;

    /// `EVAL` or `EVALSHA`. Throws where the script is at fault and not one of its commands, and where it
    /// gives a command that the servers lack.
    value call(const words& command);
    /// `EVAL`, of any text.
    value run(const std::string& text, const words& command);
    void forget() noexcept { known_.clear(); }

private:
    struct closing {
        void operator()(lua_State* state) const noexcept;
    };

    /// What `redis.call` was given stands on the stack; what it comes to is left there. False for an error.
    bool call_from(lua_State* state) noexcept;
    value answer(const words& command);
    static int redis_call(lua_State* state);
    static int redis_pcall(lua_State* state);

    keyspace& keys_;
    keyless_commands& others_;
    std::exception_ptr failure_; ///< of a command of the script that runs; Lua must not be left by it
    std::unique_ptr<lua_State, closing> state_;
    std::map<std::string, int> compiled_; ///< by text: a reference in Lua's registry
    std::set<std::string> known_;         ///< hashes
};

} // namespace redlock::sim
