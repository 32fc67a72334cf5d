#include "sim_server/scripted_keyspace.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

using namespace redlock;
using sim::value;

BOOST_FIXTURE_TEST_SUITE(simulated_scripts, sim::scripted_keyspace)

BOOST_AUTO_TEST_CASE(what_happens_to_a_key_is_told_in_the_order_of_redis) {
    for (const sim::words& command : {sim::words{"ZADD", "z", "1", "a", "2", "b"},
                                      {"ZADD", "z", "1", "a"},
                                      {"ZADD", "z", "GT", "CH", "0", "a"},
                                      {"ZREM", "z", "x"},
                                      {"ZPOPMIN", "z"},
                                      {"ZREM", "z", "b"},
                                      {"HSET", "h", "f", "1"},
                                      {"HINCRBY", "h", "f", "1"},
                                      {"PEXPIRE", "h", "10000"},
                                      {"HDEL", "h", "g"},
                                      {"HDEL", "h", "f"},
                                      {"ZADD", "z", "1", "a"},
                                      {"PEXPIRE", "z", "-1"}})
        keys.call(command);
    BOOST_TEST(told == "zadd z, zpopmin z, zrem z, del z, hset h, hincrby h, expire h, hdel h, del h, "
                       "zadd z, del z, ");
    BOOST_TEST(keys.all().empty());
}

BOOST_AUTO_TEST_CASE(collections_run_out_like_all_keys) {
    keys.call({"ZADD", "z", "1", "a"});
    keys.call({"PEXPIRE", "z", "100"});
    keys.set_time(100);
    BOOST_TEST(keys.call({"PTTL", "z"}).number == 0);
    keys.set_time(101);
    BOOST_TEST(keys.call({"ZCARD", "z"}).number == 0);
    BOOST_TEST(told == "zadd z, expire z, expired z, ");
}

BOOST_AUTO_TEST_CASE(a_life_ends_at_the_time_that_is_named) {
    keys.set_time(1000);
    keys.call({"ZADD", "z", "1", "a"});
    BOOST_TEST(keys.call({"PEXPIREAT", "z", "1100"}).number == 1);
    BOOST_TEST(keys.call({"PTTL", "z"}).number == 100);
    BOOST_TEST(keys.call({"PEXPIREAT", "z", "1000"}).number == 1);
    BOOST_TEST(keys.call({"PEXPIREAT", "z", "2000"}).number == 0);
    BOOST_TEST(told == "zadd z, expire z, del z, ");
}

BOOST_AUTO_TEST_CASE(a_number_is_written_as_redis_does) {
    BOOST_TEST(run("redis.call('set','k',9007199254740992) return redis.call('get','k')").words ==
               "9007199254740992");
    BOOST_TEST(run("redis.call('set','k',0.1) return redis.call('get','k')").words == "0.10000000000000001");
}

BOOST_AUTO_TEST_CASE(a_script_can_ask_for_more_than_keys) {
    BOOST_TEST(run("local t=redis.call('time') return t[1]..t[2]").words == "174");
}

BOOST_AUTO_TEST_CASE(an_error_that_is_caught_does_not_end_the_script) {
    keys.call({"SET", "k", "v"});
    const value v = run("local e=redis.pcall('zcard',ARGV[1]) return e.err", {"k"});
    BOOST_TEST((v.is == value::kind::text));
    BOOST_TEST(v.words == "WRONGTYPE Operation against a key holding the wrong kind of value");
}

BOOST_AUTO_TEST_CASE(a_mistake_in_a_script_ends_the_simulation) {
    BOOST_CHECK_THROW(run("return nothing.at.all"), std::logic_error);
    BOOST_CHECK_THROW(run("return redis.call('lpush','k','v')"), std::logic_error);
    // Also one that Lua could hide.
    BOOST_CHECK_THROW(run("redis.pcall('lpush','k','v') return 1"), std::logic_error);
    BOOST_TEST(run("return 1").number == 1);
}

BOOST_AUTO_TEST_SUITE_END()
