// The suites of the lease layer, on two engines: in memory, with either of them in the hand of the test, and
// on real servers.

#include "engine/other_suites.hpp"
#include "support/node_set.hpp"
#include "support/postgres_server.hpp"

#include <string>
#include <vector>

namespace redlock::test {
namespace {

/// Nothing is in the hand of the test but by the engine that is named there.
void run_suites_on_both(const std::string& nodes, const std::string& backup, const char* hand,
                        const std::vector<std::string>& but = {}) {
    const environment other("REDLOCK_LEASE_TEST_BACKUP", backup), in_hand("REDLOCK_LEASE_TEST_HAND", hand);
    std::vector<std::string> command{REDLOCK_LEASE_TEST};
    for (const std::string& name : but)
        command.push_back("--run_test=!" + name);
    run_suites_on(nodes, command);
}

// What they say of one engine, and is otherwise with two.
const std::vector<std::string> of_one_engine{
    // It has one node, knows of reading, and its value changes with the token.
    "observation_suite/metrics_show_what_is_under_way", "owner_suite/writing_cannot_be_had_later",
    "question_suite/an_inspection_says_who_has_the_key", "question_suite/a_broken_lock_is_gone",
    "question_suite/a_lock_that_was_handed_on_with_fencing_is_left_alone",
    "question_suite/keys_that_somebody_has_are_listed_in_order",
    "question_suite/whoever_looks_is_told_who_the_holder_is",
    // The one that goes on confirming has the key for another ttl, unless it is unlocked.
    "upkeep_suite/a_lease_that_cannot_be_renewed_stops_before_its_end",
    // Who came too late pauses before he tries again.
    "waiting_suite/who_hears_of_its_key_too_late_goes_on_waiting"};

std::vector<std::string> and_these(std::vector<std::string> more) {
    more.insert(more.end(), of_one_engine.begin(), of_one_engine.end());
    return more;
}

BOOST_AUTO_TEST_SUITE(pair_lease_suites)

// Tokens are not asked of it.
BOOST_AUTO_TEST_CASE(what_holds_on_one_engine_holds_where_something_happens_to_the_first) {
    run_suites_on_both("memory://first", "memory://second", "nodes",
                       and_these({"handoff_suite/a_token_that_is_not_had_passes_the_turn_on",
                                  "handoff_suite/what_was_lost_on_its_way_is_had_anew",
                                  "handoff_suite/what_somebody_else_has_by_then_is_waited_for",
                                  "question_suite/a_token_is_current_for_as_long_as_its_lease",
                                  "sentence_suite/of_an_answer"}));
}

// It is not asked while the first has not granted.
BOOST_AUTO_TEST_CASE(what_holds_on_one_engine_holds_where_something_happens_to_the_second) {
    run_suites_on_both(
        "memory://first", "memory://second", "backup",
        and_these({"question_suite/what_a_test_holds_can_be_broken_by_its_name_alone",
                   "waiting_suite/a_key_that_is_lost_on_its_way_is_lost_by_whom_it_comes_to"}));
}

BOOST_AUTO_TEST_CASE(what_holds_on_one_engine_holds_on_nodes_and_a_database) {
    const node_set nodes(3);
    const postgres_server database;
    std::string all;
    for (const std::string& uri : nodes.uris())
        all += uri + " ";
    // Of those who wait Redis knows only who listens, which clients in a queue do not.
    run_suites_on_both(
        all, database.uri(), "nodes",
        {"two_threads_suite", "acquire_suite/an_attempt_beside_one_that_waits_is_refused_too"});
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
