// What is free takes each node one round of commands, which leave in one write.

#include "lock_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

std::size_t number_behind(const std::string& text, const std::string& label) {
    const auto at = text.find(label);
    return at == text.npos ? 0 : std::stoul(text.substr(at + label.size()));
}

struct one_round_trip_fixture : lock_fixture {
    /// What a node has done for the client: the name of each command, and how often it has read them.
    struct work {
        std::vector<std::string> commands;
        std::size_t reads = 0;
    };

    one_round_trip_fixture() {
        BOOST_REQUIRE(becomes_ready(locks));
        for (auto& node : nodes)
            node.command({"CONFIG", "RESETSTAT"});
    }

    work work_of(std::size_t node) {
        const std::string stats = nodes[node].command({"INFO", "everything"}).text;
        // This question has been read, and is not executed yet. That for new counts is executed, and was read
        // before them.
        work done{.commands = {}, .reads = number_behind(stats, "total_reads_processed:") - 1};
        const std::string entry = "cmdstat_";
        for (auto at = stats.find(entry); at != stats.npos; at = stats.find(entry, at + 1)) {
            const auto begin = at + entry.size();
            const std::string name = stats.substr(begin, stats.find(':', begin) - begin);
            const std::size_t calls = number_behind(stats, entry + name + ":calls=");
            if (name == "info" || name == "ping") // by the test, and where nothing was asked for long
                done.reads -= calls;
            else if (!name.starts_with("config"))
                done.commands.insert(done.commands.end(), calls, name);
        }
        return done;
    }

    /// Another lock goes over the same connections behind whatever the client has sent before it.
    void expect_one_read(std::size_t attempts) {
        const lease behind = lock(locks, "behind");
        const std::vector<std::string> wanted(attempts + 1, "set");
        for (std::size_t node = 0; node < nodes.size(); ++node) {
            BOOST_TEST(run_until([&] { return work_of(node).commands.size() >= wanted.size(); }));
            const work done = work_of(node);
            BOOST_TEST(done.commands == wanted, boost::test_tools::per_element());
            BOOST_TEST(done.reads <= 2u); // one for that other lock
        }
    }

    client locks{context.get_executor(), settings()};
};

BOOST_FIXTURE_TEST_SUITE(one_round_trip, one_round_trip_fixture)

BOOST_AUTO_TEST_CASE(a_free_set_of_four_keys) {
    outcome<lease_set> all;
    locks.async_lock_all({"d", "b", "a", "c"}, patiently(), all.handler());
    BOOST_REQUIRE(run_until([&] { return all.done(); }));
    BOOST_TEST(!all.error());
    expect_one_read(4);
}

BOOST_AUTO_TEST_CASE(a_free_permit) {
    const lease permit = lock(locks, "pool", {.ttl = long_ttl, .permits = 4});
    expect_one_read(1);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
