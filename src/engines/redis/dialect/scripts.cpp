#include "engines/redis/dialect/scripts.hpp"

#include "core/lock_token.hpp"
#include "core/mistake.hpp"
#include "engines/redis/dialect/planted_scripts.hpp"

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
    "local t=tonumber(ARGV[3]) if v and (tonumber(string.match(v,'^%d+',29)) or 0)>=t then "
    "redis.call('pexpire',KEYS[1],ARGV[2]) "
    "else redis.call('set',KEYS[1],ARGV[1]..':'..ARGV[3]..(ARGV[5] or ''),'PX',ARGV[2]) end "
    "local f=redis.call('zscore',KEYS[2],'fence') if not f or tonumber(f)<t then "
    "redis.call('zadd',KEYS[2],ARGV[3],'fence') end redis.call('pexpire',KEYS[2],ARGV[4]) "
    "if v then return 1 end return 2",
    "34488996fab6e30c97cb0149d53be98834cae4e5"};

constexpr source advance_fence_source{
    "local v=redis.call('get',KEYS[1]) if not v or string.sub(v,1,27)~=ARGV[1] then return 0 end "
    "local f=tonumber(redis.call('zscore',KEYS[2],'fence') or 0)+1 local p=tonumber(ARGV[2]) "
    "if f<p then f=p end local t=string.format('%.0f',f) redis.call('zadd',KEYS[2],t,'fence') "
    "redis.call('pexpire',KEYS[2],ARGV[3]) redis.call('set',KEYS[1],ARGV[1]..':'..t..(ARGV[4] or "
    "''),'KEEPTTL') return f",
    "7452ed4184d4972f9113cd81ecf89e38342a2d7b"};

constexpr source release_several_source{
    "local v=redis.call('mget',unpack(KEYS)) local d,o={},{} for i,k in ipairs(KEYS) do "
    "if v[i]==ARGV[i] then d[#d+1]=k else o[#o+1]=i end end "
    "if #d>0 then redis.call('del',unpack(d)) end return o",
    "51830eb3145f9e7f7ba34e1786710ebcc8efa7a5"};

// A key that is missing and cannot be put back is not ours there.
constexpr source extend_several_source{
    "local v=redis.call('mget',unpack(KEYS)) local p,o=ARGV[#KEYS+1],{} for i,k in ipairs(KEYS) do "
    "if v[i]==ARGV[i] then redis.call('pexpire',k,p) else "
    "local r=not v[i] and redis.pcall('set',k,ARGV[i],'PX',p,'NX') o[#o+1]=r and r.ok and -i or i end end "
    "return o",
    "4c3c1c2aab84555b6c335b6562717f6126f258f3"};

// Whoever is handed the key is told on the channel of its client, which is the beginning of its token; so is
// whoever has the key while others wait. `PUBLISH` counts those who listen to all channels by a pattern, too,
// so that who is alive is asked of `PUBSUB NUMSUB`. Nobody has the key who cannot be told so. Who enters
// behind others is told whether the holder listens at all: those in front of him may be dead. Who is told
// nothing has a time of its entry that begins with 0: whether such a one is alive its entry alone says, and
// that the key is its own it hears when it enters again. Other releases take such an entry for a dead one's.
constexpr source queue_source{
    "local k,q,t,s,enters=KEYS[1],KEYS[2],ARGV[1],ARGV[2],ARGV[4] local v=redis.call('get',k) local "
    "o=v and string.sub(v,1,27) local y=enters and string.sub(enters,1,1)=='0' if o==t and enters then "
    "if redis.call('pttl',k)<tonumber(ARGV[3]) then redis.call('pexpire',k,ARGV[3]) end return {1,y "
    "and string.sub(redis.call('zrange',q,0,0)[1] or '',1,27) or nil} end local c=redis.call('time') "
    "local now=c[1]*1000+math.floor(c[2]/1000) if ARGV[8] or not enters then for _,m in "
    "ipairs(redis.call('zrangebyscore',q,s,s)) do if string.sub(m,1,27)==t then redis.call('zrem',q,m) "
    "end end end local rank if enters then local "
    "m=t..'|'..ARGV[3]..'|'..enters..'|'..now..'|'..now+ARGV[5]..(ARGV[7] and '|'..ARGV[7] or '') "
    "redis.call('zadd',q,s,m) redis.call('pexpire',q,ARGV[6]) rank=redis.call('zrank',q,m) end if v "
    "and (enters or o~=t) then local f=rank==0 and t or not enters and redis.call('zrange',q,0,0)[1] "
    "local c='redlock:'..string.sub(v,1,8) local r=f and "
    "redis.pcall('publish',c,'w|'..o..'|'..string.sub(f,1,27)..'|'..k) or enters and "
    "redis.pcall('pubsub','numsub',c)[2] if not enters then return 0 end local n=type(r)=='number' and "
    "r or type(r)=='table' and -1 or 0 local a={0,v,redis.call('pttl',k),rank,n} if n<1 then local "
    "d=redis.call('zrange',q,-1,-1)[1] a[6]=string.match(d,'^~%d+~(.*)$') if a[6] then "
    "redis.call('zrem',q,d) end end return a end local row=ARGV[3] if enters then row='0' local "
    "d=redis.call('zrange',q,-1,-1)[1] local u,x=string.match(d,'^~(%d+)~(.*)$') if u then local "
    "l=u-c[1]*1000000-c[2] if l>0 then return {0,'',l,rank,1,x} end redis.call('zrem',q,d) row=row..x "
    "end end local opens,known=string.match(row,'^%-(%d*)(.*)$') for i=1,32 do local m=opens and "
    "redis.call('zrange',q,0,0)[1] or redis.call('zpopmin',q)[1] if not m then break end local "
    "h,l,e,a,u,b=string.match(m,'^([^|]*)|(%d+)|(%d+)|(%d+)|(%d+)|?(.*)$') local "
    "n='redlock:'..string.sub(m,1,8) local r=u and (enters or h~=t) and tonumber(u)>=now and (not "
    "enters or now-a<=tonumber(l)) local deaf=r and string.sub(e,1,1)=='0' if r and not deaf then "
    "r=redis.pcall('pubsub','numsub',n)[2] r=r and r>0 end if r then if opens then redis.call('del',k) "
    "if opens~='' then "
    "redis.call('zadd',q,'inf','~'..string.format('%.0f',c[1]*1000000+c[2]+opens)..'~'..known) end if "
    "not deaf then redis.pcall('publish',n,'f|'..h..'|'..k) end return 1 end if not "
    "redis.pcall('set',k,h..b,'PX',l).err then local f=redis.call('zrange',q,0,0)[1] or '' if not deaf "
    "and "
    "type(redis.pcall('publish',n,'y|'..h..'|'..e..'|'..now-a..'|'..row..'|'..string.sub(f,1,27)..'|'..(o "
    "or '')..'|'..k))~='number' then redis.call('del',k) break end if not enters then return 2 end if "
    "h==t then return {1,deaf and string.sub(f,1,27) or nil} end return "
    "{0,h,tonumber(l),math.max(rank-i,0),1} end end if opens then redis.call('zrem',q,m) end end if v "
    "then return redis.call('del',k) end return enters and {0,'',0,0,0} or 0",
    "6f6a8e3e1b46e5854d012e08da600e74067b6737"};

// Entries of those who read end by the clock of the node, at most 1 ms early (docs/design.md, "Reading and
// writing").
// Whole numbers are put into text here, which is quicker than what Redis does with those of Lua; and a set
// ends at a time of the clock, which Redis need not make from a life first.
constexpr source read_try_source{
    "local t=redis.call('time') local now=t[1]*1000+math.floor(t[2]/1000) local "
    "v=redis.call('get',KEYS[1]) if v then return {0,redis.call('pttl',KEYS[1]),v} end local "
    "l=redis.call('pttl',KEYS[2]) if l~=-2 then redis.call('zremrangebyscore',KEYS[2],'-inf',now) end "
    "local e=string.format('%.0f',now+ARGV[2]+1) redis.call('zadd',KEYS[2],e,ARGV[1]) "
    "if l<=tonumber(ARGV[2]) then redis.call('pexpireat',KEYS[2],e) end return {1}",
    "cb0ccef891449691b1804f225cd92ba4bb9967b5"};

constexpr source read_several_source{
    "local c,n,o=redis.call,#KEYS/2,{} local l=tonumber(ARGV[n+1]) local t=c('time') local "
    "now=t[1]*1000+math.floor(t[2]/1000) local e=string.format('%.0f',now+l+1) "
    "local taken,shared=c('exists',unpack(KEYS,1,n))>0,c('exists',unpack(KEYS,n+1))>0 for i=1,n do local "
    "k,r=KEYS[i],KEYS[n+i] local v=taken and redis.pcall('get',k) if v then "
    "o[#o+1]={0,c('pttl',k),type(v)=='string' and v or '',i} else local p=shared and c('pttl',r) or -2 if "
    "p~=-2 then c('zremrangebyscore',r,'-inf',now) end c('zadd',r,e,ARGV[i]) if p<=l then c('pexpireat',r,e) "
    "end end end return o",
    "090cc8e16c0acdfb08a605ec29d579bc2c47577f"};

constexpr source read_extend_source{
    "local t=redis.call('time') local now=t[1]*1000+math.floor(t[2]/1000) "
    "redis.call('zremrangebyscore',KEYS[2],'-inf',now) local "
    "had=redis.call('zscore',KEYS[2],ARGV[1]) if not had and redis.call('exists',KEYS[1])==1 then "
    "return 0 end redis.call('zadd',KEYS[2],now+ARGV[2]+1,ARGV[1]) if "
    "redis.call('pttl',KEYS[2])<=tonumber(ARGV[2]) then redis.call('pexpire',KEYS[2],ARGV[2]+1) "
    "end return had and 1 or 2",
    "1d633abe3725f9c9d454bce30ed11b4f7958628f"};

constexpr source read_advance_source{
    "if not redis.call('zscore',KEYS[1],ARGV[1]) then return 0 end local "
    "f=tonumber(redis.call('zscore',KEYS[2],'fence') or 0)+1 local p=tonumber(ARGV[2]) if f<p "
    "then f=p end local t=string.format('%.0f',f) redis.call('zadd',KEYS[2],t,'fence') "
    "redis.call('pexpire',KEYS[2],ARGV[3]) return f",
    "1be9e7a3e47656b57e4f8f1b76f33a32bbf2eeba"};

constexpr source write_try_source{
    "local t=redis.call('time') local now=t[1]*1000+math.floor(t[2]/1000) "
    "redis.call('zremrangebyscore',KEYS[2],'-inf',now) local v=redis.call('get',KEYS[1]) if v "
    "and string.sub(v,1,27)~=string.sub(ARGV[1],1,27) then return {0} end if v then "
    "redis.call('pexpire',KEYS[1],ARGV[2]) elseif ARGV[3]=='1' then "
    "redis.call('set',KEYS[1],ARGV[1],'PX',ARGV[2]) else return {3} end local "
    "l=redis.call('zrange',KEYS[2],-1,-1,'withscores') if not l[1] then return {1} end return "
    "{2,l[2]-now}",
    "10ef810ef764c7f9d43dd32e22b8bbe547d37c9e"};

constexpr source write_extend_source{
    "local t=redis.call('time') local now=t[1]*1000+math.floor(t[2]/1000) local "
    "v=redis.call('get',KEYS[1]) if v and string.sub(v,1,27)~=string.sub(ARGV[1],1,27) then "
    "return 0 end redis.call('zremrangebyscore',KEYS[2],'-inf',now) local "
    "clear=redis.call('exists',KEYS[2])==0 if v then redis.call('pexpire',KEYS[1],ARGV[2]) return "
    "clear and 1 or 3 end if not clear then return 0 end "
    "redis.call('set',KEYS[1],ARGV[1],'PX',ARGV[2]) return 2",
    "4e958d8bb514267e80424d57963a4e9bb08616b0"};

constexpr source downgrade_source{
    "local v=redis.call('get',KEYS[1]) if not v or string.sub(v,1,27)~=ARGV[1] then return 0 end "
    "local t=redis.call('time') local now=t[1]*1000+math.floor(t[2]/1000) "
    "redis.call('zadd',KEYS[2],now+ARGV[3]+1,ARGV[2]) if "
    "redis.call('pttl',KEYS[2])<=tonumber(ARGV[3]) then redis.call('pexpire',KEYS[2],ARGV[3]+1) "
    "end return 1",
    "8d4333558b47bbcdab6c8fe877864579befe3c62"};

constexpr source readers_source{
    "local t=redis.call('time') local now=t[1]*1000+math.floor(t[2]/1000) local "
    "l,o=redis.call('zrange',KEYS[2],-65,-1,'withscores'),{} for i=1,#l,2 do local "
    "left=math.min(l[i+1]-now,2^53) if left>0 then o[#o+1]=l[i] o[#o+1]=left end end return o",
    "6659e94f7cb8cf213b28ea8b7960c679e85ac8df"};

// A life of 0 ms is an error to `SET`. What is replaced is deleted first: those who listen are told of that
// where they are not told of `SET`, and of a renewal they hear only that the life has changed.
constexpr source proclaim_source{
    "local v=redis.call('get',KEYS[1]) if not v or string.sub(v,1,27)~=ARGV[1] then return 0 end "
    "local p=redis.call('pttl',KEYS[1]) if p<1 then p=1 end local "
    "r=ARGV[2]..':'..ARGV[3]..':'..ARGV[4] local o=redis.call('get',KEYS[2]) local "
    "t,n=string.match(o or '','^(%d+):(%d+):') t,n=tonumber(t),tonumber(n) local "
    "s,m=tonumber(ARGV[2]),tonumber(ARGV[3]) if o==r or t and n and (t>s or t==s and n>m) then "
    "redis.call('pexpire',KEYS[2],p) return 1 end if o then redis.call('del',KEYS[2]) end "
    "redis.call('set',KEYS[2],r,'PX',p) return 1",
    "7fe77e4fbd0c7a49eba207d463174feffb03bd93"};

constexpr source withdraw_source{
    "local o=redis.call('get',KEYS[1]) local t=tonumber(string.match(o or '','^(%d+):')) if t and "
    "t<=tonumber(ARGV[1]) then return redis.call('del',KEYS[1]) end return 0",
    "7ad26adec1980f0846a4b2a253f8b9ec40f154a4"};

// By one command a fence is usually raised to what all of them are to reach at least. That servers before
// Redis 6.2 cannot is tried once.
constexpr source advance_several_source{
    "local n,g,o=#KEYS/2,true,{} local v=redis.call('mget',unpack(KEYS,1,n)) local "
    "q,l,e=ARGV[n+1],ARGV[n+2],ARGV[n+3] or '' local p=tonumber(q) for i=1,n do local "
    "t,k,f,w=ARGV[i],KEYS[n+i],p,q if not v[i] or string.sub(v[i],1,27)~=t then f=0 else local r=g and "
    "redis.pcall('zadd',k,'GT','CH',q,'fence') if r~=1 then g=type(r)=='number' local "
    "s=redis.pcall('zscore',k,'fence') if type(s)=='table' then f=-1 else f=math.max(tonumber(s or "
    "0)+1,p) w=string.format('%.0f',f) if type(redis.pcall('zadd',k,w,'fence'))=='table' then f=-1 end "
    "end end if f~=-1 then redis.call('pexpire',k,l) redis.call('set',KEYS[i],t..':'..w..e,'KEEPTTL') "
    "end end o[i]=f end return o",
    "bac07a9bf4d2712bdc6d3c637a263a19d2339acf"};

constexpr std::array<source, script_count> sources{
    release_source,       extend_source,          release_retold_source, extend_fenced_source,
    advance_fence_source, release_several_source, extend_several_source, queue_source,
    read_try_source,      read_several_source,    read_extend_source,    read_advance_source,
    write_try_source,     write_extend_source,    downgrade_source,      readers_source,
    proclaim_source,      withdraw_source,        advance_several_source};

const source& source_of(script s) noexcept { return sources[static_cast<unsigned>(s)]; }

} // namespace

std::string_view text_of(script s) noexcept {
    const std::string_view planted = planted_text(s, source_of(s).text);
    return planted.empty() ? source_of(s).text : planted;
}
std::string_view hash_of(script s) noexcept { return source_of(s).hash; }

} // namespace redlock::redis
