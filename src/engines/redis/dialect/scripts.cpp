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

constexpr std::array<source, script_count> sources{release_source,        extend_source,
                                                   release_retold_source, extend_fenced_source,
                                                   advance_fence_source,  release_several_source};

const source& source_of(script s) noexcept { return sources[static_cast<unsigned>(s)]; }

} // namespace

std::string_view text_of(script s) noexcept { return source_of(s).text; }
std::string_view hash_of(script s) noexcept { return source_of(s).hash; }

} // namespace redlock::redis
