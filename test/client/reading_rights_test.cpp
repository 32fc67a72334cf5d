// A user that may do what docs/guide/kinds.md and docs/guide/nodes.md name, and nothing else.

#include "read_write_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

const std::string rights_to_read =
    "~lock:* resetchannels &redlock:* &__keyspace@0__:lock:* -@all +set +get +del +pttl +pexpire +eval "
    "+evalsha +ping +info +hello +client|setname +subscribe +unsubscribe +publish +pubsub|numsub +time "
    "+zadd +zrem +zrank +zrange +zrangebyscore +zpopmin +exists +pexpireat +zscore +zremrangebyscore";

struct reading_rights_fixture : lock_fixture {
    reading_rights_fixture()
        : lock_fixture(3, {.directives = {"user reader on >secret " + rights_to_read},
                           .password = {},
                           .persistent = false}) {
        BOOST_REQUIRE(becomes_ready(locks));
    }
    config of_reader() {
        config c = settings();
        c.key_prefix = "lock:";
        c.nodes.clear();
        for (auto& node : nodes)
            c.nodes.push_back(node.uri("reader", "secret"));
        return c;
    }

    client locks{context.get_executor(), of_reader()};
};

BOOST_FIXTURE_TEST_SUITE(reading_rights, reading_rights_fixture)

BOOST_AUTO_TEST_CASE(one_reads_extends_and_writes_with_them) {
    const lock_options fenced{.ttl = 10min, .wait = 5min, .fencing = true};
    lease reader = lock(locks, "key", to_read(fenced));
    outcome<> extended;
    reader.async_extend(20min, extended.handler());
    BOOST_TEST(run_until([&] { return extended.done(); }));
    BOOST_TEST(!extended.error(), extended.error().message());
    outcome<lease> writer;
    locks.async_lock("key", to_write(fenced), writer.handler());
    BOOST_TEST(run_until([&] { return nodes.holders("lock:key") == nodes.size(); }));
    BOOST_TEST(!unlock(reader));
    BOOST_REQUIRE(run_until([&] { return writer.done(); }));
    BOOST_TEST(!writer.error(), writer.error().message());
    lease written = std::move(writer.value());
    outcome<> downgraded;
    written.async_downgrade(downgraded.handler());
    BOOST_TEST(run_until([&] { return downgraded.done(); }));
    BOOST_TEST(!downgraded.error(), downgraded.error().message());
    BOOST_TEST(!unlock(written));
}

BOOST_AUTO_TEST_CASE(many_read_at_once_with_them) {
    std::deque<outcome<lease>> asked(8);
    for (std::size_t i = 0; i < asked.size(); ++i)
        locks.async_lock("key" + std::to_string(i), to_read(), asked[i].handler());
    for (auto& one : asked) {
        BOOST_REQUIRE(run_until([&] { return one.done(); }));
        BOOST_TEST(!one.error(), one.error().message());
    }
}

BOOST_AUTO_TEST_CASE(an_examination_misses_none_of_them) {
    outcome<std::vector<node_examination>> seen;
    locks.async_examine(seen.handler());
    BOOST_REQUIRE(run_until([&] { return seen.done(); }));
    for (const node_examination& node : seen.value())
        for (const missing_right& lacking : node.missing_rights)
            BOOST_TEST((lacking.needed_for != purpose::reading), lacking.rule);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
