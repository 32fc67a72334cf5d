#include "core/election/leader_sight.hpp"
#include "core/election/next_look.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace redlock::core {

inline std::ostream& operator<<(std::ostream& out, leader_sight::verdict v) {
    return out << "verdict " << static_cast<int>(v);
}

namespace {

using verdict = leader_sight::verdict;
using namespace std::chrono_literals;

constexpr leader_mark of(std::uint64_t term, std::uint64_t version = 1) { return {term, version}; }

/// What a node says: 'f' nothing at all, '-' that nobody has proclaimed anything, a digit a term.
void tell(leader_sight& sight, std::uint32_t node, char said) {
    if (said == 'f')
        sight.failed();
    else if (said == '-')
        sight.found_nothing();
    else
        sight.found(node, of(static_cast<std::uint64_t>(said - '0')));
}

/// All that so many nodes may say.
std::vector<std::string> all_answers(unsigned nodes) {
    std::vector<std::string> all{""};
    for (unsigned i = 0; i < nodes; ++i) {
        std::vector<std::string> longer;
        for (const std::string& said : all)
            for (const char more : {'f', '-', '1', '2'})
                longer.push_back(said + more);
        all = std::move(longer);
    }
    return all;
}

unsigned count(const std::string& said, char what) {
    return static_cast<unsigned>(std::count(said.begin(), said.end(), what));
}

BOOST_AUTO_TEST_SUITE(leader_sight_suite)

BOOST_AUTO_TEST_CASE(what_a_majority_has_is_seen_by_every_look_that_is_answered) {
    for (unsigned nodes = 1; nodes <= 5; ++nodes)
        for (const std::string& said : all_answers(nodes)) {
            leader_sight sight(nodes);
            for (std::uint32_t node = 0; node < nodes; ++node)
                tell(sight, node, said[node]);
            const unsigned needed = majority(nodes);
            const unsigned failed = count(said, 'f');
            BOOST_TEST_CONTEXT(said) {
                if (count(said, '-') >= needed)
                    BOOST_TEST(sight.decide() == verdict::nobody);
                else if (nodes - failed < needed)
                    BOOST_TEST(sight.decide() == verdict::unreachable);
                else {
                    BOOST_TEST(sight.decide() == verdict::leads);
                    const bool second = count(said, '2') > 0;
                    BOOST_TEST(sight.highest().term == (second ? 2u : 1u));
                    BOOST_TEST(said[sight.highest_at()] == (second ? '2' : '1'));
                }
                // Whoever leads stands on a majority, some of which may not have answered.
                for (const char leader : {'1', '2'})
                    if (count(said, leader) + failed >= needed && nodes - failed >= needed)
                        BOOST_TEST(sight.decide() == verdict::leads);
            }
        }
}

BOOST_AUTO_TEST_CASE(what_is_decided_early_is_not_changed_by_what_comes) {
    for (unsigned nodes = 1; nodes <= 5; ++nodes)
        for (const std::string& said : all_answers(nodes)) {
            leader_sight sight(nodes);
            verdict before = sight.decide();
            for (std::uint32_t node = 0; node < nodes; ++node) {
                const verdict now = sight.decide();
                if (before != verdict::open) BOOST_TEST(now == before, said);
                before = now;
                tell(sight, node, said[node]);
            }
            if (before != verdict::open) BOOST_TEST(sight.decide() == before, said);
            BOOST_TEST(sight.decide() != verdict::open);
        }
}

BOOST_AUTO_TEST_CASE(of_one_term_the_latest_version_counts) {
    leader_sight sight(3);
    sight.found(0, of(4, 2));
    sight.found(1, of(4, 3));
    BOOST_TEST(sight.decide() == verdict::open);
    sight.found(2, of(4, 2));
    BOOST_TEST(sight.decide() == verdict::leads);
    BOOST_TEST(sight.highest().version == 3u);
    BOOST_TEST(sight.highest_at() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(leader_knowledge_suite)

BOOST_AUTO_TEST_CASE(who_knows_nothing_is_told_whatever_there_is) {
    const leader_knowledge nothing{leader_mark{}};
    BOOST_TEST(nothing.is_news(of(1)));
    BOOST_TEST(nothing.nobody_is_news());
    const leader_knowledge nobody(nothing.mark_of_nobody());
    BOOST_TEST(!nobody.nobody_is_news());
    BOOST_TEST(nobody.is_news(of(1)));
}

// Whoever gives each mark to the next call, with whatever the nodes say in between.
BOOST_AUTO_TEST_CASE(terms_and_versions_never_fall) {
    const std::vector<std::optional<leader_mark>> seen{std::nullopt, of(1, 1), of(1, 2), of(2, 1), of(2, 2)};
    for (const auto& a : seen)
        for (const auto& b : seen)
            for (const auto& c : seen)
                for (const auto& d : seen) {
                    leader_mark known;
                    leader_mark last; // that a leader had
                    bool leads = false;
                    for (const auto& now : {a, b, c, d, d}) {
                        const leader_knowledge k(known);
                        if (now && k.is_news(*now)) {
                            BOOST_TEST(!is_behind(*now, last));
                            BOOST_TEST((!leads || *now != last)); // it differs
                            known = last = *now;
                            leads = true;
                        } else if (!now && k.nobody_is_news()) {
                            BOOST_TEST((leads || known == leader_mark{}));
                            known = k.mark_of_nobody();
                            BOOST_TEST(known.term == last.term);
                            leads = false;
                        }
                        // What was told is no news any more.
                        BOOST_TEST(!(now ? leader_knowledge(known).is_news(*now)
                                         : leader_knowledge(known).nobody_is_news()));
                    }
                }
}

BOOST_AUTO_TEST_CASE(a_leader_that_was_missed_for_a_while_is_told_again) {
    const leader_knowledge led(of(3, 2));
    const leader_knowledge nobody(led.mark_of_nobody());
    BOOST_TEST(nobody.is_news(of(3, 2)));
    BOOST_TEST(!nobody.is_news(of(3, 1)));
    BOOST_TEST(!nobody.is_news(of(2, 9)));
    BOOST_TEST(nobody.is_news(of(3, 3)));
    BOOST_TEST(nobody.is_news(of(4, 1)));
}

BOOST_AUTO_TEST_CASE(looks_are_as_rare_as_what_is_told_allows) {
    BOOST_TEST((look_plan{}.pause() == look_plan::without_news));
    look_plan told{.is_told = true};
    BOOST_TEST((told.pause() == look_plan::with_news));
    told.value_left = 3s;
    BOOST_TEST((told.pause() == 3s + 1ms));
    told.value_left = 1h;
    BOOST_TEST((told.pause() == nanoseconds(look_plan::with_news) + 1ms));
    told.is_answered = false;
    BOOST_TEST((told.pause() == look_plan::without_news));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::core
