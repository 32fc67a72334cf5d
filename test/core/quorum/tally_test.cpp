#include "core/quorum/tally.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <vector>

using namespace redlock::core;

namespace {

constexpr std::array all_votes{vote::yes, vote::no, vote::failed};

/// What a round has come to when all votes are in, counted the plain way.
verdict outcome_of(const std::vector<vote>& votes) {
    unsigned yes = 0;
    unsigned failed = 0;
    for (const vote v : votes) {
        yes += v == vote::yes;
        failed += v == vote::failed;
    }
    if (2 * yes > votes.size()) return verdict::granted;
    return 2 * (votes.size() - failed) > votes.size() ? verdict::refused : verdict::unreachable;
}

/// Whether a yes-majority can still come about after the first `count` votes, found by trying the best end.
bool can_still_be_granted(const std::vector<vote>& votes, std::size_t count) {
    std::vector<vote> best = votes;
    for (std::size_t i = count; i < best.size(); ++i)
        best[i] = vote::yes;
    return outcome_of(best) == verdict::granted;
}

/// Calls `check` with every vector of `nodes` votes.
template <class Check>
void for_every_vector(unsigned nodes, Check check) {
    std::vector<unsigned> digits(nodes, 0);
    for (;;) {
        std::vector<vote> votes;
        for (const unsigned digit : digits)
            votes.push_back(all_votes[digit]);
        check(votes);
        unsigned place = 0;
        while (place < nodes && ++digits[place] == all_votes.size())
            digits[place++] = 0;
        if (place == nodes) return;
    }
}

/// Whether the first `count` votes, at least one of which was not enough before, decide as they must.
bool decides_rightly(const std::vector<vote>& votes) {
    tally t(static_cast<unsigned>(votes.size()));
    verdict before = verdict::open;
    for (unsigned i = 0; i < votes.size(); ++i) {
        t.record(i, votes[i]);
        const verdict now = t.decide();
        if (before == verdict::granted && now != verdict::granted) return false;
        if ((before == verdict::refused || before == verdict::unreachable) &&
            (now == verdict::open || now == verdict::granted))
            return false;
        // Decided exactly when the question is.
        const bool certain = !can_still_be_granted(votes, i + 1) || now == verdict::granted;
        if (certain != (now != verdict::open)) return false;
        before = now;
    }
    return t.decide() == outcome_of(votes) && t.pending() == 0;
}

} // namespace

BOOST_AUTO_TEST_SUITE(tally_of_votes)

BOOST_AUTO_TEST_CASE(majority_is_more_than_half_of_all_nodes) {
    constexpr unsigned expected[] = {1, 2, 2, 3, 3, 4, 4, 5, 5};
    for (unsigned nodes = 1; nodes <= 9; ++nodes)
        BOOST_TEST(majority(nodes) == expected[nodes - 1]);
}

BOOST_AUTO_TEST_CASE(every_vector_of_votes_is_decided_rightly_and_as_early_as_possible) {
    for (unsigned nodes = 1; nodes <= 9; ++nodes) {
        std::size_t vectors = 0;
        std::size_t wrong = 0;
        for_every_vector(nodes, [&](const std::vector<vote>& votes) {
            ++vectors;
            wrong += !decides_rightly(votes);
        });
        std::size_t expected = 1;
        for (unsigned i = 0; i < nodes; ++i)
            expected *= all_votes.size();
        BOOST_TEST(vectors == expected);
        BOOST_TEST(wrong == 0U, wrong << " vectors of " << nodes << " votes are decided wrongly");
    }
}

BOOST_AUTO_TEST_CASE(definitely_no_needs_so_many_no_that_failed_nodes_cannot_matter) {
    for (unsigned nodes = 1; nodes <= 7; ++nodes)
        for_every_vector(nodes, [&](const std::vector<vote>& votes) {
            tally t(nodes);
            std::vector<vote> best = votes;
            for (unsigned i = 0; i < nodes; ++i) {
                t.record(i, votes[i]);
                if (best[i] == vote::failed) best[i] = vote::yes;
            }
            if (t.definitely_no() != (outcome_of(best) != verdict::granted))
                BOOST_ERROR("definitely_no is wrong for " << nodes << " nodes");
        });
}

BOOST_AUTO_TEST_CASE(a_split_vote_of_two_contenders_is_refused_on_even_sets) {
    for (const unsigned nodes : {2u, 4u, 6u, 8u}) {
        tally t(nodes);
        for (unsigned i = 0; i < nodes; ++i)
            t.record(i, i % 2 == 0 ? vote::yes : vote::no);
        BOOST_TEST((t.decide() == verdict::refused));
    }
}

BOOST_AUTO_TEST_CASE(it_remembers_who_said_what) {
    tally t(max_nodes);
    t.record(0, vote::yes);
    t.record(62, vote::failed);
    BOOST_TEST(t.is(0, vote::yes));
    BOOST_TEST(!t.is(0, vote::no));
    BOOST_TEST(t.is(62, vote::failed));
    BOOST_TEST(!t.voted(61));
    BOOST_TEST(t.pending() == max_nodes - 2);
    BOOST_TEST(!t.answered_by_majority());
}

BOOST_AUTO_TEST_SUITE_END()
