#include "docs/snippet.hpp"
#include "support/child_process.hpp"
#include "support/environment.hpp"
#include "support/event_loop.hpp"
#include "support/file_descriptor.hpp"
#include "support/node_set.hpp"
#include "support/real_cluster.hpp"
#include "support/watched_group.hpp"
#ifdef REDLOCK_TLS
#include "support/authority.hpp"
#endif

#include <boost/asio/as_tuple.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <sstream>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace redlock::test {
namespace {

constexpr std::string_view keys_are_lost = "the nodes lose the key";
constexpr std::string_view speak_tls = "the nodes speak TLS";
constexpr std::string_view are_groups = "the nodes are groups";
constexpr std::string_view is_cluster = "the node is a cluster";
constexpr std::string_view key_stays = "the key stays";

/// What is written to the standard error while it exists.
class captured_errors {
public:
    captured_errors() {
        std::fflush(stderr);
        ::dup2(file_.get(), STDERR_FILENO);
    }
    ~captured_errors() {
        std::fflush(stderr);
        ::dup2(before_.get(), STDERR_FILENO);
    }
    std::string text() const {
        std::fflush(stderr);
        std::array<char, 4096> found{};
        const ssize_t size = ::pread(file_.get(), found.data(), found.size(), 0);
        return {found.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
    }

private:
    file_descriptor before_{::dup(STDERR_FILENO)};
    file_descriptor file_{::memfd_create("errors", 0)};
};

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

    int run_main(const snippet& s) {
        std::vector<std::string> words{"program"};
        const auto uris = nodes.uris();
        words.insert(words.end(), uris.begin(), uris.end());
        std::vector<char*> arguments;
        for (auto& word : words)
            arguments.push_back(word.data());
        return s.program(static_cast<int>(arguments.size()), arguments.data());
    }

    void run_settings(const snippet& s) {
        if (s.meanwhile == are_groups) return run_with_groups(s);
        if (s.meanwhile == is_cluster) return run_with_cluster(s);
        if (s.meanwhile == speak_tls) return run_with_tls(s);
        lock_once(s.settings(nodes.uris()));
    }

    void run_with_tls([[maybe_unused]] const snippet& s) {
#ifdef REDLOCK_TLS
        const certificate_files own = trusted_authority().sign();
        const redis_options options{
            .password = "secret",
            .tls = redis_tls{own.certificate, own.key, trusted_authority().file(), false}};
        node_set encrypted(3, options);
        const environment authority("LOCKS_CA_FILE", trusted_authority().file());
        const environment password("LOCKS_PASSWORD", "secret");
        lock_once(s.settings(encrypted.uris()));
#endif
    }

    /// They have masters that have not been masters for long.
    void run_with_groups(const snippet& s) {
        std::deque<watched_group> groups(3);
        std::vector<std::string> uris;
        for (auto& group : groups) {
            group.await_ready();
            uris.push_back(group.uri());
        }
        expect_quarantine(s.settings(uris));
    }

    /// Its servers have just been started.
    void run_with_cluster(const snippet& s) {
        const real_cluster cluster;
        expect_quarantine(s.settings({cluster.uri()}));
    }

    void expect_quarantine(const config& settings) {
        BOOST_TEST(settings.restart_guard.count() > 0);
        client locks(context.get_executor(), settings);
        BOOST_TEST(run_until([&] {
            const auto all = locks.metrics().nodes;
            return std::ranges::all_of(all, &node_metrics::quarantined);
        }));
        close(locks);
    }

    /// A client takes the settings, and a lock by them.
    void lock_once(const config& settings) {
        client locks(context.get_executor(), settings);
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

// What a reader copies first is to say what is wrong, not to look as if all were well.
BOOST_AUTO_TEST_CASE(every_program_says_why_it_fails_when_nothing_listens) {
    std::size_t programs = 0;
    for (redis_server& node : nodes)
        node.kill();
    for (const auto& s : snippets()) {
        if (!s.program) continue;
        ++programs;
        BOOST_TEST_CONTEXT(s.place) {
            const captured_errors errors;
            BOOST_TEST(run_main(s) != 0);
            BOOST_TEST(!errors.text().empty());
        }
    }
    BOOST_TEST(programs >= 2u); // README, and the guide's first
}

BOOST_AUTO_TEST_CASE(every_block_in_cpp_runs) {
    BOOST_TEST_REQUIRE(!snippets().empty());
    for (const auto& s : snippets()) {
        BOOST_TEST_CONTEXT(s.place) {
            BOOST_TEST_MESSAGE(s.place);
            BOOST_TEST_REQUIRE((*s.meanwhile == '\0' || s.meanwhile == keys_are_lost ||
                                s.meanwhile == speak_tls || s.meanwhile == are_groups ||
                                s.meanwhile == is_cluster || s.meanwhile == key_stays));
            if (s.program) BOOST_TEST(run_main(s) == 0);
            if (s.alone) BOOST_TEST(s.alone() == 0);
            if (s.coroutine) run_coroutine(s);
            if (s.settings) run_settings(s);
            if (s.meanwhile == key_stays) {
                BOOST_TEST(eventually([&] { return keys_are_everywhere(); }));
                for (auto& node : nodes)
                    node.command({"FLUSHALL"});
            }
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
