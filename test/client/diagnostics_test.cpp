// What is said of a failure: which node, which key, which limit.

#include "failure.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

struct diagnostics_test_fixture : lock_fixture {
    diagnostics_test_fixture() : lock_fixture(3) {}

    config with(std::vector<std::string> uris) const {
        config c = settings();
        c.nodes = std::move(uris);
        return c;
    }
    failure refusal(client& locks, const std::string& key, lock_options options = once()) {
        return failure_of(*this, await_lock(locks, key, options));
    }
    std::string name(std::size_t index) { return nodes[index].uri() + "/0"; }
    /// Those are named, and no others but as slower than they were.
    void check_names_of_nodes(const failure& f, std::initializer_list<std::size_t> failed) {
        for (std::size_t index = 0; index < nodes.size(); ++index) {
            const bool has_failed = std::ranges::find(failed, index) != failed.end();
            const bool is_named = f.says(name(index) + " ");
            const bool is_late = f.says(name(index) + " had not answered yet");
            BOOST_TEST((has_failed ? is_named : !is_named || is_late), f.what);
        }
    }
};

BOOST_FIXTURE_TEST_SUITE(diagnostics, diagnostics_test_fixture)

BOOST_AUTO_TEST_CASE(each_node_that_failed_is_named_with_its_reason) {
    config c = settings();
    c.node_timeout = 300ms;
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(locks));
    nodes[0].kill();
    nodes[2].stop();
    BOOST_REQUIRE(run_until([&] { return locks.metrics().nodes[0].state == "unavailable"; }));
    const failure f = refusal(locks, "order:17");
    nodes[2].resume();
    BOOST_TEST(f.code == errc::no_quorum);
    BOOST_TEST(f.diagnosed);
    BOOST_TEST(f.what.starts_with("no majority of the 3 nodes has granted the lock \"order:17\": redis://"),
               f.what);
    check_names_of_nodes(f, {0, 2});
    BOOST_TEST(f.says(name(0) + " cannot be reached: "), f.what);
    BOOST_TEST(f.says("let the deadline of a command pass (node_timeout is 300 ms)"), f.what);
}

BOOST_AUTO_TEST_CASE(a_node_that_was_never_reached_is_named_too) {
    for (auto& node : nodes)
        node.stop();
    config c = settings();
    c.node_timeout = 100ms;
    client locks(context.get_executor(), c);
    const failure f = refusal(locks, "key");
    for (auto& node : nodes)
        node.resume();
    BOOST_TEST(f.code == errc::no_quorum);
    check_names_of_nodes(f, {0, 1, 2});
    BOOST_TEST(f.says("was not connected within 100 ms (config::node_timeout)"), f.what);
}

BOOST_AUTO_TEST_CASE(of_one_node_alone_there_is_no_majority) {
    client locks(context.get_executor(), with({nodes[1].uri()}));
    nodes[1].kill();
    const failure f = refusal(locks, "key");
    BOOST_TEST(f.what.starts_with("the only node has not granted the lock \"key\": " + name(1) + " "),
               f.what);
}

BOOST_AUTO_TEST_CASE(a_server_s_own_words_are_quoted) {
    for (auto& node : nodes)
        node.command({"CONFIG", "SET", "maxmemory", "1"});
    client locks(context.get_executor(), settings());
    const failure f = refusal(locks, "key");
    BOOST_TEST(f.code == errc::out_of_memory);
    check_names_of_nodes(f, {0, 1, 2});
    BOOST_TEST(f.says(" answered \"OOM command not allowed"), f.what);
}

// Each node has a reason of its own.
BOOST_AUTO_TEST_CASE(different_reasons_are_not_mixed_up) {
    nodes[0].command({"RPUSH", "key", "element"});
    nodes[1].command({"CONFIG", "SET", "maxmemory", "1"});
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    const failure f = refusal(locks, "key");
    BOOST_TEST(f.code == errc::no_quorum);
    check_names_of_nodes(f, {0, 1});
    BOOST_TEST(f.says(name(0) + " answered \"WRONGTYPE"), f.what);
    BOOST_TEST(f.says(name(1) + " answered \"OOM"), f.what);
}

BOOST_AUTO_TEST_CASE(a_contender_is_not_blamed_on_the_nodes) {
    client locks(context.get_executor(), settings());
    client other(context.get_executor(), settings());
    lease held = lock(other, "key");
    const failure at_once = refusal(locks, "key");
    BOOST_TEST(at_once.code == errc::held);
    BOOST_TEST(at_once.what == "somebody else holds the lock \"key\"");
    const failure later = refusal(locks, "key", {.ttl = long_ttl, .wait = 150ms});
    BOOST_TEST(later.code == errc::wait_timeout);
    BOOST_TEST(later.what.starts_with("waited "), later.what);
    BOOST_TEST(later.says(" ms for the lock \"key\", and lock_options::wait is 150 ms: somebody else"),
               later.what);
    BOOST_TEST(std::stoul(later.what.substr(sizeof "waited " - 1)) >= 150u, later.what);
}

BOOST_AUTO_TEST_CASE(a_lease_says_which_lock_it_was) {
    config c = settings();
    c.node_timeout = 300ms;
    client locks(context.get_executor(), c);
    lease held = lock(locks, "order:17");
    lease other = lock(locks, "other");
    const auto extend = [&](std::chrono::milliseconds ttl) -> asio::awaitable<void> {
        co_await held.async_extend(ttl);
    };
    const auto unlock = [](lease& of) -> asio::awaitable<void> { co_await of.async_unlock(); };
    const failure too_short = failure_of(*this, extend(-3ms));
    BOOST_TEST(too_short.code == errc::invalid_option);
    BOOST_TEST(too_short.what == "the ttl of async_extend must be 1 ms to 2^53 ms, not -3 ms");
    BOOST_TEST(!failure_of(*this, unlock(other)).code);
    const failure twice = failure_of(*this, unlock(other));
    BOOST_TEST(twice.code == errc::lease_lost);
    BOOST_TEST(twice.what == "the lease of the lock \"other\" had been lost, or unlocked before");

    nodes[0].kill();
    nodes[1].kill();
    const failure extended = failure_of(*this, extend(long_ttl));
    BOOST_TEST(extended.code == errc::no_quorum);
    BOOST_TEST(extended.what.starts_with("no majority of the 3 nodes has extended the lock \"order:17\": "),
               extended.what);
    check_names_of_nodes(extended, {0, 1});
    const failure unlocked = failure_of(*this, unlock(held));
    BOOST_TEST(unlocked.code == errc::no_quorum);
    BOOST_TEST(unlocked.what.starts_with(
                   "no majority of the 3 nodes has confirmed the release of the lock \"order:17\": "),
               unlocked.what);
    check_names_of_nodes(unlocked, {0, 1});
    lease none;
    BOOST_TEST(failure_of(*this, unlock(none)).says("the lease is empty"));
}

BOOST_AUTO_TEST_CASE(a_check_says_what_it_did_not_find) {
    client locks(context.get_executor(), settings());
    const auto check = [&](std::string key) -> asio::awaitable<void> { co_await locks.async_check(key, 7); };
    const failure lost = failure_of(*this, check("key"));
    BOOST_TEST(lost.code == errc::lease_lost);
    BOOST_TEST(lost.what == "the lock \"key\" is not held with the fencing token 7 any more");
    nodes[0].kill();
    nodes[1].kill();
    const failure f = failure_of(*this, check("key"));
    BOOST_TEST(f.code == errc::no_quorum);
    BOOST_TEST(f.what.starts_with("no majority of the 3 nodes has said who holds the lock \"key\": "),
               f.what);
    check_names_of_nodes(f, {0, 1});
}

BOOST_AUTO_TEST_CASE(a_loss_under_a_body_names_the_lock) {
    client locks(context.get_executor(), settings());
    const auto whole = [&]() -> asio::awaitable<void> {
        auto body = [&](lease&) -> asio::awaitable<void> {
            for (auto& node : nodes)
                node.command({"DEL", "nightly"});
            asio::steady_timer never(context, asio::steady_timer::time_point::max());
            co_await never.async_wait(asio::deferred);
        };
        co_await locks.async_with_lock("nightly", {.ttl = 2s}, body);
    };
    const failure f = failure_of(*this, whole());
    BOOST_TEST(f.code == errc::lease_lost);
    BOOST_TEST(f.what ==
               "the lease of the lock \"nightly\" was lost while the function of async_with_lock ran");
    nodes[0].kill();
    nodes[1].kill();
    const failure none = failure_of(*this, whole());
    BOOST_TEST(none.code == errc::no_quorum);
    check_names_of_nodes(none, {0, 1});
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
