#include "core/random.hpp"
#include "sim_server/scripted_keyspace.hpp"
#include "support/redis_server.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <sstream>
#include <string>

using namespace redlock;
using sim::words;

namespace {

/// As an answer of a real server is printed.
std::string printed(const sim::value& v) {
    switch (v.is) {
    case sim::value::kind::nil:
        return "(null)";
    case sim::value::kind::error:
        return "error " + v.words;
    case sim::value::kind::integer:
        return std::to_string(v.number);
    case sim::value::kind::status:
    case sim::value::kind::text:
        return '"' + v.words + '"';
    case sim::value::kind::array:
        break;
    }
    std::string all = "[";
    for (const sim::value& item : v.items)
        all += " " + printed(item);
    return all + " ]";
}

struct command_source {
    core::random random;

    template <std::size_t N>
    std::string one_of(const char* const (&choices)[N]) {
        return choices[random() % N];
    }
    std::string key() { return one_of({"a", "b", "c", "d"}); }
    std::string member() { return one_of({"m", "M", "mm", "n", "", "\xff"}); }
    std::string score() {
        return one_of({"0", "1", "-3", "9007199254740992", "1", "17", "0.5", "x", "1e20"});
    }
    std::string index() { return one_of({"0", "1", "2", "-1", "-2", "-9", "9", "1.5"}); }
    std::string number() { return one_of({"1", "-5", "9223372036854775807", "007", "n"}); }

    words next() {
        switch (random() % 23) {
        case 0:
        case 1:
        case 2:
            return {"zadd", key(), score(), member(), score(), member()};
        case 3:
            return {"zadd", key(), one_of({"GT", "lt", "NX", "XX", "CH"}), score(), member()};
        case 4:
            return {"ZADD",  key(), one_of({"GT", "LT", "NX", "XX"}), one_of({"CH", "NX", "GT"}),
                    score(), "m"};
        case 5:
            return {"zrem", key(), member(), member()};
        case 6:
            return {"zrank", key(), member()};
        case 7:
            return {"zcard", key()};
        case 8:
            return {"zrange", key(), index(), index()};
        case 9:
            return {"zrange", key(), index(), index(), one_of({"withscores", "WITHSCORES", "all"})};
        case 10:
            return {"zpopmin", key()};
        case 11:
            return {"zpopmin", key(), index()};
        case 12:
            return {"zscore", key(), member()};
        case 13:
        case 14:
            return {"hset", key(), member(), number(), member(), number()};
        case 15:
            return {"hget", key(), member()};
        case 16:
            return {"hdel", key(), member(), member()};
        case 17:
            return {"hincrby", key(), member(), number()};
        case 18:
            return {one_of({"get", "del", "exists", "mget"}), key()};
        case 19:
            return {"set", key(), number(), one_of({"GET", "NX", "KEEPTTL", "PX"})};
        case 20:
            return {"pexpire", key(), one_of({"10000000", "0", "-1", "x", "9223372036854775807"})};
        case 21: // long gone, and far ahead
            return {"pexpireat", key(), one_of({"10000000", "0", "-1", "x", "9223372036854775807"})};
        default:
            return {one_of({"zadd", "hset", "del", "zcard"}), key(), member()};
        }
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(servers_alike)

// Also what is no command of theirs: the errors are the same to the letter.
BOOST_AUTO_TEST_CASE(scripts_get_the_same_answers_from_a_simulated_server_as_from_a_real_one) {
    test::redis_server real;
    sim::scripted_keyspace simulated;
    simulated.keys.set_time(1'700'000'000'000);
    command_source source{core::random(7)};
    const std::string script = "return redis.pcall(unpack(ARGV))";
    for (int i = 0; i < 20000; ++i) {
        words eval{"EVAL", script, "0"};
        std::string shown;
        for (std::string& word : source.next()) {
            shown += word + " ";
            eval.push_back(std::move(word));
        }
        std::ostringstream expected;
        expected << real.command(eval);
        const std::string found = printed(simulated.scripts.run(script, eval));
        BOOST_TEST_REQUIRE(found == expected.str(),
                           shown << "comes to " << found << " and not " << expected.str());
    }
}

// A call that fails ends the script. Redis appends the script and the line.
BOOST_AUTO_TEST_CASE(a_script_fails_alike) {
    test::redis_server real;
    sim::scripted_keyspace simulated;
    for (const char* script : {
             "redis.call('set','k','v') return redis.call('zadd','k',1,'m')",
             "return redis.call('hset','h',{},'v')",
             "return redis.call('zadd','z',nil,'m')",
             "error({err='MINE is this'})",
         }) {
        const words eval{"EVAL", script, "0"};
        const test::redis_answer expected = real.command(eval);
        const sim::value found = simulated.scripts.run(script, eval);
        BOOST_TEST((found.is == sim::value::kind::error));
        const std::size_t place = expected.text.find(" script: ");
        BOOST_TEST_REQUIRE(place != std::string::npos);
        BOOST_TEST(found.words.substr(0, place + 9) == expected.text.substr(0, place + 9));
    }
}

BOOST_AUTO_TEST_SUITE_END()
