#include "docs/snippet.hpp"
#include "support/child_process.hpp"
#include "support/event_loop.hpp"
#include "support/node_set.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace redlock::test {
namespace {

constexpr std::string_view keys_are_lost = "the nodes lose the key";

struct five_nodes : event_loop {
    node_set nodes{5};

    bool keys_are_everywhere() {
        return std::all_of(nodes.begin(), nodes.end(),
                           [](redis_server& node) { return node.key_count() > 0; });
    }

    /// Runs a coroutine with a client; takes the keys away from under it where the snippet is about that.
    void run_coroutine(const snippet& s) {
        client locks(context.get_executor(), {.nodes = nodes.uris()});
        std::exception_ptr failure;
        bool done = false;
        asio::co_spawn(context, s.coroutine(locks), [&](std::exception_ptr e) {
            failure = e;
            done = true;
        });
        BOOST_TEST(run_until([&] {
            if (!done && s.meanwhile == keys_are_lost && keys_are_everywhere())
                for (auto& node : nodes)
                    node.command({"FLUSHALL"});
            return done;
        }));
        close(locks);
        if (failure) std::rethrow_exception(failure);
    }

    void run_program(const snippet& s) {
        std::vector<std::string> words{"program"};
        const auto uris = nodes.uris();
        words.insert(words.end(), uris.begin(), uris.end());
        std::vector<char*> arguments;
        for (auto& word : words)
            arguments.push_back(word.data());
        BOOST_TEST(s.program(static_cast<int>(arguments.size()), arguments.data()) == 0);
    }

    /// A client takes the settings, and a lock by them.
    void run_settings(const snippet& s) {
        client locks(context.get_executor(), s.settings(nodes.uris()));
        run([](client& c) -> asio::awaitable<void> {
            auto held = co_await c.async_lock("key");
            co_await held.async_unlock();
        }(locks));
        close(locks);
    }

    void close(client& locks) {
        bool closed = false;
        locks.async_close([&](error_code) { closed = true; });
        BOOST_TEST(run_until([&] { return closed; }));
    }

    /// Neither a lock nor a probe; fences stay.
    bool nodes_are_clean() {
        return std::all_of(nodes.begin(), nodes.end(), [](redis_server& node) {
            const auto keys = node.command({"KEYS", "*"}).elements;
            return std::all_of(keys.begin(), keys.end(),
                               [](const redis_answer& key) { return key.text.ends_with(":redlock-fence"); });
        });
    }

    using error_code = boost::system::error_code;
};

BOOST_FIXTURE_TEST_SUITE(snippet, five_nodes)

BOOST_AUTO_TEST_CASE(every_block_in_cpp_runs) {
    BOOST_TEST_REQUIRE(!snippets().empty());
    for (const auto& s : snippets()) {
        BOOST_TEST_CONTEXT(s.place) {
            BOOST_TEST_MESSAGE(s.place);
            BOOST_TEST_REQUIRE((*s.meanwhile == '\0' || s.meanwhile == keys_are_lost));
            if (s.program) run_program(s);
            if (s.alone) BOOST_TEST(s.alone() == 0);
            if (s.coroutine) run_coroutine(s);
            if (s.settings) run_settings(s);
            BOOST_TEST(eventually([&] { return nodes_are_clean(); }));
        }
    }
}

// Where a block names the node $NODE it asks it something; others build, install or start things.
BOOST_AUTO_TEST_CASE(every_block_for_a_shell_can_be_read_and_those_that_ask_a_node_run) {
    ::setenv("NODE", nodes[0].uri().c_str(), 1);
    for (const auto& s : sh_snippets()) {
        BOOST_TEST_CONTEXT(s.place) {
            const bool asks = std::string_view(s.text).find("$NODE") != std::string_view::npos;
            child_process shell({"/bin/bash", asks ? "-euc" : "-nc", s.text});
            BOOST_TEST(shell.wait(patience).value_or(-1) == 0);
        }
    }
    ::unsetenv("NODE");
}

BOOST_AUTO_TEST_CASE(a_node_with_what_is_recommended_is_fit) {
    for (const auto& s : conf_snippets()) {
        BOOST_TEST_CONTEXT(s.place) {
            redis_options options;
            std::istringstream lines(s.text);
            for (std::string line; std::getline(lines, line);)
                options.directives.push_back(line);
            redis_server node(options);
            client locks(context.get_executor(), {.nodes = {node.uri()}});
            const auto found = [&] { return locks.metrics().nodes.at(0); };
            BOOST_TEST(run_until([&] { return found().wakeup != wakeup::automatic; }));
            BOOST_TEST((found().wakeup == wakeup::keyspace_events));
            BOOST_TEST(found().eviction_policy == "");
            close(locks);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
