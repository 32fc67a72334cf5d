#include "lock/scripts.hpp"

namespace redlock::lock {

namespace {

struct source {
    std::string_view text;
    std::string_view hash;
};

// In one line each: the text travels whenever a server does not know the hash yet.
constexpr source release_source{
    "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) end return 0",
    "fab5aabdaac7aab1eaa85bbed1724dee07d7744a"};

constexpr source extend_source{
    "local v=redis.call('get',KEYS[1]) if v==ARGV[1] then redis.call('pexpire',KEYS[1],ARGV[2]) "
    "return 1 end if not v then redis.call('set',KEYS[1],ARGV[1],'PX',ARGV[2]) return 2 end "
    "return 0",
    "d65668ab9e61711ea94cfc454dcf870624f89915"};

const source& source_of(script s) noexcept { return s == script::release ? release_source : extend_source; }

} // namespace

std::string_view text_of(script s) noexcept { return source_of(s).text; }
std::string_view hash_of(script s) noexcept { return source_of(s).hash; }

} // namespace redlock::lock
