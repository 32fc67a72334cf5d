#include "sim/script_engine.hpp"

#include "engines/redis/dialect/scripts.hpp"

#include <lua.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

namespace redlock::sim {

namespace {

/// The text of a script of the library by its hash, or the other way round; empty when it has none such.
std::string text_by(std::string_view hash) {
    for (unsigned i = 0; i < redis::script_count; ++i)
        if (const auto s = static_cast<redis::script>(i); redis::hash_of(s) == hash)
            return std::string(redis::text_of(s));
    return {};
}

std::string hash_by(std::string_view text) {
    for (unsigned i = 0; i < redis::script_count; ++i)
        if (const auto s = static_cast<redis::script>(i); redis::text_of(s) == text)
            return std::string(redis::hash_of(s));
    return {};
}

void push(lua_State* state, const value& v) {
    switch (v.is) {
    case value::kind::nil:
        return lua_pushboolean(state, 0);
    case value::kind::integer:
        return lua_pushnumber(state, static_cast<lua_Number>(v.number));
    case value::kind::text:
        lua_pushlstring(state, v.words.data(), v.words.size());
        return;
    case value::kind::status:
    case value::kind::error:
        lua_newtable(state);
        lua_pushlstring(state, v.words.data(), v.words.size());
        return lua_setfield(state, -2, v.is == value::kind::status ? "ok" : "err");
    case value::kind::array:
        lua_createtable(state, static_cast<int>(v.items.size()), 0);
        for (std::size_t i = 0; i < v.items.size(); ++i) {
            push(state, v.items[i]);
            lua_rawseti(state, -2, static_cast<int>(i + 1));
        }
    }
}

/// Whether the table on top of the stack has such a text, which goes into `out`.
bool take_field(lua_State* state, const char* name, std::string& out) {
    lua_getfield(state, -1, name);
    const bool is_there = lua_isstring(state, -1);
    if (is_there) out = lua_tostring(state, -1);
    lua_pop(state, 1);
    return is_there;
}

value pop(lua_State* state) {
    value v;
    switch (lua_type(state, -1)) {
    case LUA_TNUMBER:
        v = value::integer(static_cast<std::int64_t>(lua_tonumber(state, -1)));
        break;
    case LUA_TSTRING: {
        std::size_t size = 0;
        const char* text = lua_tolstring(state, -1, &size);
        v = value::text(std::string(text, size));
        break;
    }
    case LUA_TBOOLEAN:
        if (lua_toboolean(state, -1)) v = value::integer(1);
        break;
    case LUA_TTABLE:
        if (take_field(state, "err", v.words)) {
            v.is = value::kind::error;
            break;
        }
        if (take_field(state, "ok", v.words)) {
            v.is = value::kind::status;
            break;
        }
        v.is = value::kind::array;
        for (int i = 1;; ++i) {
            lua_rawgeti(state, -1, i);
            if (lua_isnil(state, -1)) {
                lua_pop(state, 1);
                break;
            }
            v.items.push_back(pop(state));
        }
        break;
    default:
        break;
    }
    lua_pop(state, 1);
    return v;
}

/// The arguments of a command as Redis takes them from a script; nothing where it does not.
std::optional<words> arguments_of(lua_State* state) {
    words command;
    for (int i = 1; i <= lua_gettop(state); ++i) {
        std::size_t size = 0;
        switch (lua_type(state, i)) {
        case LUA_TNUMBER:
            command.push_back(text_of(lua_tonumber(state, i)));
            break;
        case LUA_TSTRING: {
            const char* const text = lua_tolstring(state, i, &size);
            command.emplace_back(text, size);
            break;
        }
        default:
            return std::nullopt;
        }
    }
    return command;
}

void set_global(lua_State* state, const char* name, const words& from, std::size_t first, std::size_t count) {
    lua_createtable(state, static_cast<int>(count), 0);
    for (std::size_t i = 0; i < count; ++i) {
        const std::string& word = from.at(first + i);
        lua_pushlstring(state, word.data(), word.size());
        lua_rawseti(state, -2, static_cast<int>(i + 1));
    }
    lua_setglobal(state, name);
}

} // namespace

void script_engine::closing::operator()(lua_State* state) const noexcept { lua_close(state); }

script_engine::script_engine(keyspace& keys, keyless_commands& others)
    : keys_(keys), others_(others), state_(luaL_newstate()) {
    lua_State* const state = state_.get();
    luaL_openlibs(state);
    lua_newtable(state);
    for (const auto& [name, function] :
         {std::pair<const char*, lua_CFunction>{"call", redis_call}, {"pcall", redis_pcall}}) {
        lua_pushlightuserdata(state, this);
        lua_pushcclosure(state, function, 1);
        lua_setfield(state, -2, name);
    }
    lua_setglobal(state, "redis");
}

value script_engine::answer(const words& command) {
    const std::string name = upper(command.at(0));
    switch (arity_of(name, command.size())) {
    case arity::unknown:
        throw std::logic_error("the simulated server lacks " + name);
    case arity::wrong:
        return value::error("ERR Wrong number of args calling Redis command from script");
    case arity::fits:
        break;
    }
    if (auto v = others_.answer(command)) return std::move(*v);
    return keys_.call(command);
}

bool script_engine::call_from(lua_State* state) noexcept {
    value v;
    try {
        const auto command = arguments_of(state);
        v = command ? answer(*command)
                    : value::error("ERR Lua redis lib command arguments must be strings or integers");
    } catch (...) {
        failure_ = std::current_exception();
        v = value::error("ERR");
    }
    push(state, v);
    return v.is != value::kind::error;
}

// Where Lua jumps out of here no C++ object may be alive.
int script_engine::redis_call(lua_State* state) {
    auto* const self = static_cast<script_engine*>(lua_touserdata(state, lua_upvalueindex(1)));
    return self->call_from(state) ? 1 : lua_error(state);
}

int script_engine::redis_pcall(lua_State* state) {
    static_cast<script_engine*>(lua_touserdata(state, lua_upvalueindex(1)))->call_from(state);
    return 1;
}

value script_engine::call(const words& command) {
    if (command.at(0) == "EVAL") {
        const std::string hash = hash_by(command.at(1));
        if (hash.empty()) throw std::logic_error("a script that the library does not list: " + command[1]);
        known_.insert(hash);
        return run(command[1], command);
    }
    if (!known_.contains(command.at(1))) return value::error("NOSCRIPT No matching script. Please use EVAL.");
    return run(text_by(command[1]), command);
}

value script_engine::run(const std::string& text, const words& command) {
    lua_State* const state = state_.get();
    const auto [place, is_new] = compiled_.try_emplace(text);
    if (is_new) {
        if (luaL_loadbuffer(state, text.data(), text.size(), "@script") != 0)
            throw std::logic_error(std::string("a script does not compile: ") + lua_tostring(state, -1));
        place->second = luaL_ref(state, LUA_REGISTRYINDEX);
    }
    const std::size_t keys = std::stoul(command.at(2));
    set_global(state, "KEYS", command, 3, keys);
    set_global(state, "ARGV", command, 3 + keys, command.size() - 3 - keys);
    lua_rawgeti(state, LUA_REGISTRYINDEX, place->second);
    const bool failed = lua_pcall(state, 0, 1, 0) != 0;
    value v = pop(state);
    if (failure_) std::rethrow_exception(std::exchange(failure_, {}));
    if (!failed) return v;
    if (v.is != value::kind::error) throw std::logic_error("a script failed: " + v.words);
    // As Redis 7 has it. All scripts are one line.
    v.words += " script: " + hash_by(text) + ", on @user_script:1.";
    return v;
}

} // namespace redlock::sim
