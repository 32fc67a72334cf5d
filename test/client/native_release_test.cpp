// Servers that compare and delete by a command of their own. Debian 12 has none of these versions, so a peer
// plays them; the last test takes whatever server there is (scripts/servers.sh).

#include "outcome.hpp"
#include "support/event_loop.hpp"
#include "support/redis_server.hpp"
#include "support/scripted_peer.hpp"

#include <redlock/client.hpp>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

/// A server of one product and version that holds no data and says yes to everything but what it is told to
/// refuse.
class played_server {
public:
    played_server(std::string product, std::string version, std::string refused = {},
                  std::string with = "ERR unknown command")
        : product_(std::move(product)),
          version_(std::move(version)),
          refused_{std::move(refused)},
          error_(std::move(with)),
          peer_({.answer = [this](const auto& command) { return answer(command); }}) {}

    std::string uri() const { return peer_.uri(); }

    /// Before it is connected to.
    void refuse(std::set<std::string> words) { refused_ = std::move(words); }

    /// The commands received that begin with this word.
    std::vector<std::vector<std::string>> received(const std::string& word) {
        const std::lock_guard guard(mutex_);
        std::vector<std::vector<std::string>> found;
        for (const auto& command : received_)
            if (command.front() == word) found.push_back(command);
        return found;
    }

private:
    std::string answer(const std::vector<std::string>& command) {
        const std::lock_guard guard(mutex_);
        received_.push_back(command);
        const std::string& word = command.front();
        if (refused_.contains(word)) return "-" + error_ + "\r\n";
        if (word == "HELLO") return "%2\r\n+server\r\n+" + product_ + "\r\n+version\r\n+" + version_ + "\r\n";
        if (word == "INFO") return "$0\r\n\r\n";
        if (word == "SET") return "_\r\n";
        if (word == "DELEX" || word == "DELIFEQ" || word == "EVAL" || word == "EVALSHA") return ":1\r\n";
        return "+OK\r\n";
    }

    const std::string product_;
    const std::string version_;
    std::set<std::string> refused_;
    const std::string error_;
    std::mutex mutex_;
    std::vector<std::vector<std::string>> received_;
    scripted_peer peer_; // last: it calls the rest from its thread
};

struct native_release_test_fixture : event_loop {
    /// Locks and unlocks `times` times.
    void cycle(const auto& server, int times = 1) {
        client locks(context.get_executor(),
                     {.nodes = {server.uri()}, .node_timeout = std::chrono::seconds(5)});
        run(cycles(locks, times));
    }

    /// Locks, and gives the outcome of the unlock.
    boost::system::error_code unlock_after_lock(played_server& server) {
        client locks(context.get_executor(),
                     {.nodes = {server.uri()}, .node_timeout = std::chrono::seconds(5)});
        boost::system::error_code unlocked;
        run(lock_and_unlock(locks, unlocked));
        return unlocked;
    }

private:
    static boost::asio::awaitable<void> lock_and_unlock(client& locks, boost::system::error_code& unlocked) {
        lease held = co_await locks.async_lock("key");
        co_await held.async_unlock(boost::asio::redirect_error(boost::asio::use_awaitable, unlocked));
        co_await locks.async_close();
    }
    static boost::asio::awaitable<void> cycles(client& locks, int times) {
        for (int i = 0; i < times; ++i) {
            lease held = co_await locks.async_lock("key");
            co_await held.async_unlock();
        }
        co_await locks.async_close();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(native_release, native_release_test_fixture)

BOOST_AUTO_TEST_CASE(redis_8_4_deletes_with_delex) {
    played_server server("redis", "8.4.0");
    cycle(server);
    const auto deletions = server.received("DELEX");
    BOOST_REQUIRE(deletions.size() == 1u);
    BOOST_REQUIRE(deletions.front().size() == 4u);
    BOOST_TEST(deletions.front()[1] == "key");
    BOOST_TEST(deletions.front()[2] == "IFEQ");
    BOOST_TEST(deletions.front()[3] == server.received("SET").front()[2]);
    BOOST_TEST(server.received("EVAL").empty());
}

BOOST_AUTO_TEST_CASE(valkey_9_deletes_with_delifeq) {
    played_server server("valkey", "9.0.1");
    cycle(server);
    const auto deletions = server.received("DELIFEQ");
    BOOST_REQUIRE(deletions.size() == 1u);
    BOOST_REQUIRE(deletions.front().size() == 3u);
    BOOST_TEST(deletions.front()[1] == "key");
    BOOST_TEST(deletions.front()[2] == server.received("SET").front()[2]);
}

BOOST_AUTO_TEST_CASE(older_servers_get_the_script) {
    for (const auto& [product, version] : {std::pair("redis", "8.3.9"), std::pair("valkey", "8.1.0"),
                                           std::pair("redis", "7.0.15"), std::pair("other", "99.0")}) {
        played_server server(product, version);
        cycle(server);
        BOOST_TEST(server.received("EVAL").size() == 1u);
        BOOST_TEST(server.received("DELEX").empty());
        BOOST_TEST(server.received("DELIFEQ").empty());
    }
}

BOOST_AUTO_TEST_CASE(a_server_that_refuses_the_command_gets_the_script_from_then_on) {
    played_server server("redis", "8.4.0", "DELEX");
    cycle(server, 3);
    BOOST_TEST(server.received("DELEX").size() == 1u);
    BOOST_TEST(server.received("EVAL").size() == 1u);
    BOOST_TEST(server.received("EVALSHA").size() == 2u);
}

// It would say the same to the script.
BOOST_AUTO_TEST_CASE(a_server_that_may_not_write_is_not_asked_in_another_way) {
    played_server server("redis", "8.4.0", "DELEX", "READONLY You can't write against a read only replica.");
    BOOST_TEST(unlock_after_lock(server) == errc::no_quorum);
    BOOST_TEST(server.received("DELEX").size() == 1u);
    BOOST_TEST(server.received("EVAL").empty());
}

BOOST_AUTO_TEST_CASE(a_script_whose_text_is_not_taken_is_not_sent_again) {
    played_server server("redis", "7.0.15", "EVAL", "NOSCRIPT No matching script");
    BOOST_TEST(unlock_after_lock(server) == errc::no_quorum);
    BOOST_TEST(server.received("EVAL").size() == 1u);
}

BOOST_AUTO_TEST_CASE(neither_is_one_that_stands_in_for_the_servers_own_command) {
    played_server server("redis", "8.4.0", "", "NOSCRIPT No matching script");
    server.refuse({"DELEX", "EVAL", "EVALSHA"});
    BOOST_TEST(unlock_after_lock(server) == errc::no_quorum);
    BOOST_TEST(server.received("DELEX").size() == 1u);
    BOOST_TEST(server.received("EVAL").size() == 1u);
    BOOST_TEST(server.received("EVALSHA").empty());
}

BOOST_AUTO_TEST_CASE(a_real_server_is_asked_in_its_own_way) {
    redis_server server;
    std::string own;
    for (const std::string word : {"delex", "delifeq"})
        if (server.command({"COMMAND", "INFO", word}).elements.at(0).kind == answer_kind::array) own = word;
    server.command({"CONFIG", "RESETSTAT"});
    cycle(server, 3);
    const std::string stats = server.command({"INFO", "commandstats"}).text;
    BOOST_TEST_MESSAGE(server.product()
                       << ' ' << server.version() << ", releases by " << (own.empty() ? "script" : own));
    const std::string native = "cmdstat_" + own + ":calls=3";
    BOOST_TEST((stats.find(own.empty() ? "cmdstat_evalsha:calls=2" : native) != stats.npos), stats);
    BOOST_TEST((stats.find("cmdstat_eval:") == stats.npos) == !own.empty(), stats);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
