#include "engines/redis/dialect/scripts.hpp"

#include "core/lock_token.hpp"

#include <array>

namespace redlock::redis {

namespace {

struct source {
    std::string_view text;
    std::string_view hash;
};

// In one line each: the text travels whenever a server does not know the hash yet. 27 is the length of a
// token.
static_assert(core::lock_token::size == 27);
constexpr source release_source{
    "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) end return 0",
    "fab5aabdaac7aab1eaa85bbed1724dee07d7744a"};

constexpr source extend_source{
    "local v=redis.call('get',KEYS[1]) if v==ARGV[1] then redis.call('pexpire',KEYS[1],ARGV[2]) "
    "return 1 end if not v then redis.call('set',KEYS[1],ARGV[1],'PX',ARGV[2]) return 2 end "
    "return 0",
    "d65668ab9e61711ea94cfc454dcf870624f89915"};

constexpr source release_retold_source{
    "local v=redis.call('get',KEYS[1]) if v and string.sub(v,1,27)==ARGV[1] then "
    "return redis.call('del',KEYS[1]) end return 0",
    "a38fba27a5d4871a95ffcf030ebadb84f951a874"};

constexpr source extend_fenced_source{
    "local v=redis.call('get',KEYS[1]) if v and string.sub(v,1,27)~=ARGV[1] then return 0 end "
    "local t=tonumber(ARGV[3]) if v and (tonumber(string.sub(v,29)) or 0)>=t then "
    "redis.call('pexpire',KEYS[1],ARGV[2]) "
    "else redis.call('set',KEYS[1],ARGV[1]..':'..ARGV[3],'PX',ARGV[2]) end "
    "local f=redis.call('zscore',KEYS[2],'fence') if not f or tonumber(f)<t then "
    "redis.call('zadd',KEYS[2],ARGV[3],'fence') end redis.call('pexpire',KEYS[2],ARGV[4]) "
    "if v then return 1 end return 2",
    "5beb97d0544ebaab33c81c8c5324910198ebecef"};

constexpr source advance_fence_source{
    "local v=redis.call('get',KEYS[1]) if not v or string.sub(v,1,27)~=ARGV[1] then return 0 end "
    "local f=tonumber(redis.call('zscore',KEYS[2],'fence') or 0)+1 local p=tonumber(ARGV[2]) "
    "if f<p then f=p end local t=string.format('%.0f',f) redis.call('zadd',KEYS[2],t,'fence') "
    "redis.call('pexpire',KEYS[2],ARGV[3]) redis.call('set',KEYS[1],ARGV[1]..':'..t,'KEEPTTL') return f",
    "768854111cf276753fd1bad455d15327ef72bb58"};

constexpr source release_several_source{
    "local v=redis.call('mget',unpack(KEYS)) local d,o={},{} for i,k in ipairs(KEYS) do "
    "if v[i]==ARGV[i] then d[#d+1]=k else o[#o+1]=i end end "
    "if #d>0 then redis.call('del',unpack(d)) end return o",
    "51830eb3145f9e7f7ba34e1786710ebcc8efa7a5"};

// Whoever is handed the key is told on the channel of its client, which is the beginning of its token; so is
// whoever has the key while others wait. `PUBLISH` counts those who listen to all channels by a pattern, too,
// so that who is alive is asked of `PUBSUB NUMSUB`. Nobody has the key who cannot be told so.
constexpr source queue_source{
    "local k,q,t,s,enters=KEYS[1],KEYS[2],ARGV[1],ARGV[2],ARGV[4] local v=redis.call('get',k) local o=v "
    "and string.sub(v,1,27) if o==t and enters then redis.call('pexpire',k,ARGV[3]) return {1} end local "
    "c=redis.call('time') local now=c[1]*1000+math.floor(c[2]/1000) if ARGV[7] or not enters and o~=t "
    "then for _,m in ipairs(redis.call('zrangebyscore',q,s,s)) do if string.sub(m,1,27)==t then "
    "redis.call('zrem',q,m) end end end local rank if enters then local "
    "m=t..'|'..ARGV[3]..'|'..enters..'|'..now..'|'..now+ARGV[5] redis.call('zadd',q,s,m) "
    "redis.call('pexpire',q,ARGV[6]) rank=redis.call('zrank',q,m) end if v and (enters or o~=t) then "
    "local f=rank==0 and t or not enters and redis.call('zrange',q,0,0)[1] local r=not f and 1 or "
    "redis.pcall('publish','redlock:'..string.sub(v,1,8),'w|'..o..'|'..string.sub(f,1,27)..'|'..k) if not "
    "enters then return 0 end return {0,v,redis.call('pttl',k),rank,type(r)=='number' and r or 0} end "
    "local row=enters and '0' or ARGV[3] local opens=row=='-' for i=1,32 do local m=opens and "
    "redis.call('zrange',q,0,0)[1] or redis.call('zpopmin',q)[1] if not m then break end local "
    "h,l,e,a,u=string.match(m,'^([^|]*)|(%d+)|(%d+)|(%d+)|(%d+)$') local n='redlock:'..string.sub(m,1,8) "
    "local r=u and (enters or h~=t) and tonumber(u)>=now and (not enters or now-a<=tonumber(l)) and "
    "redis.pcall('pubsub','numsub',n) if r and r[2] and r[2]>0 then if opens then redis.call('del',k) "
    "redis.pcall('publish',n,'f|'..h..'|'..k) return 1 end if not redis.pcall('set',k,h,'PX',l).err then "
    "local f=redis.call('zrange',q,0,0)[1] or '' if "
    "type(redis.pcall('publish',n,'y|'..h..'|'..e..'|'..now-a..'|'..row..'|'..string.sub(f,1,27)..'|'..(o "
    "or '')..'|'..k))~='number' then redis.call('del',k) break end if not enters then return 2 end if "
    "h==t then return {1} end return {0,h,tonumber(l),math.max(rank-i,0),1} end end if opens then "
    "redis.call('zrem',q,m) end end if v then return redis.call('del',k) end return enters and "
    "{0,'',0,0,0} or 0",
    "08c7683d8f108804a20ec57f07e3f79274d486c4"};

constexpr std::array<source, script_count> sources{
    release_source,       extend_source,          release_retold_source, extend_fenced_source,
    advance_fence_source, release_several_source, queue_source};

const source& source_of(script s) noexcept { return sources[static_cast<unsigned>(s)]; }

} // namespace

std::string_view text_of(script s) noexcept { return source_of(s).text; }
std::string_view hash_of(script s) noexcept { return source_of(s).hash; }

} // namespace redlock::redis
