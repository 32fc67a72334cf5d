#pragma once

#include "core/mistake.hpp"
#include "engines/redis/dialect/scripts.hpp"

#include <string>
#include <string_view>

namespace redlock::redis {

#ifdef REDLOCK_MISTAKES
/// What runs in the place of a script while a mistake is planted; empty where that is the script itself.
inline std::string_view planted_text(script s, std::string_view text) {
    using core::mistake;
    if (s == script::queue && planted(mistake::untold_key_not_extended)) {
        constexpr std::string_view part =
            "if redis.call('pttl',k)<tonumber(ARGV[3]) then redis.call('pexpire',k,ARGV[3]) end ";
        static const std::string changed = std::string(text).erase(text.find(part), part.size());
        return changed;
    }
    // Only looks.
    if (s == script::write_try && planted(mistake::readers_seen_first))
        return "local t=redis.call('time') local now=t[1]*1000+math.floor(t[2]/1000) "
               "redis.call('zremrangebyscore',KEYS[2],'-inf',now) "
               "local l=redis.call('zrange',KEYS[2],-1,-1,'withscores') if not l[1] then return {1} end "
               "return {2,l[2]-now}";
    if (s == script::write_try && planted(mistake::clear_look_extends_not))
        return "local t=redis.call('time') local now=t[1]*1000+math.floor(t[2]/1000) "
               "redis.call('zremrangebyscore',KEYS[2],'-inf',now) local v=redis.call('get',KEYS[1]) "
               "if not v or string.sub(v,1,27)~=string.sub(ARGV[1],1,27) then return {0} end "
               "local l=redis.call('zrange',KEYS[2],-1,-1,'withscores') if not l[1] then return {1} end "
               "redis.call('pexpire',KEYS[1],ARGV[2]) return {2,l[2]-now}";
    if (s == script::read_extend && planted(mistake::opponents_repaired))
        return "local t=redis.call('time') local now=t[1]*1000+math.floor(t[2]/1000) "
               "redis.call('zadd',KEYS[2],now+ARGV[2]+1,ARGV[1]) redis.call('pexpire',KEYS[2],ARGV[2]+1) "
               "return 1";
    if (s == script::write_extend && planted(mistake::opponents_repaired))
        return "local v=redis.call('get',KEYS[1]) if v and "
               "string.sub(v,1,27)~=string.sub(ARGV[1],1,27) then return 0 end "
               "redis.call('set',KEYS[1],v or ARGV[1],'PX',ARGV[2]) return 1";
    // Of two permits: each node gives both.
    if (s == script::read_try && planted(mistake::permits_by_majority))
        return "local t=redis.call('time') local now=t[1]*1000+math.floor(t[2]/1000) "
               "local v=redis.call('get',KEYS[1]) if v then return {0,redis.call('pttl',KEYS[1]),v} end "
               "redis.call('zremrangebyscore',KEYS[2],'-inf',now) if redis.call('zcard',KEYS[2])>=2 then "
               "return {0,redis.call('pttl',KEYS[2]),redis.call('zrange',KEYS[2],0,0)[1]} end "
               "redis.call('zadd',KEYS[2],now+ARGV[2]+1,ARGV[1]) redis.call('pexpire',KEYS[2],ARGV[2]+1) "
               "return {1}";
    return {};
}
#else
constexpr std::string_view planted_text(script, std::string_view) noexcept { return {}; }
#endif

} // namespace redlock::redis
