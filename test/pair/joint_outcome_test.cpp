// What a renewal and a release come to that two engines were asked for.

#include "engines/pair/joint_outcome.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

namespace redlock::pair {
namespace {

using namespace std::chrono_literals;
using engine::outcome;

constexpr outcome all[] = {outcome::confirmed, outcome::gone, outcome::inconclusive};
constexpr place places[] = {place::first, place::second};
constexpr core::instant sent{1h};

place other(place p) { return p == place::first ? place::second : place::first; }

errc why_of(outcome o) { return o == outcome::inconclusive ? errc::no_quorum : errc{}; }

BOOST_AUTO_TEST_SUITE(joint_outcome_suite)

BOOST_AUTO_TEST_CASE(it_is_confirmed_by_both_and_gone_by_either) {
    for (const outcome one : all)
        for (const outcome another : all)
            for (const place earlier : places) {
                joint_outcome joint;
                joint.answered(earlier, one, sent + 5ms, why_of(one));
                const bool is_known = one == outcome::gone;
                BOOST_TEST(joint.decided().has_value() == is_known);
                joint.answered(other(earlier), another, sent + 2ms, why_of(another));
                const bool gone = one == outcome::gone || another == outcome::gone;
                const bool confirmed = one == outcome::confirmed && another == outcome::confirmed;
                const outcome expected = gone        ? outcome::gone
                                         : confirmed ? outcome::confirmed
                                                     : outcome::inconclusive;
                BOOST_TEST((joint.decided() == expected));
                BOOST_TEST((joint.sent_at() == sent + 2ms));
                if (expected != outcome::inconclusive) continue;
                BOOST_TEST((joint.why() == errc::no_quorum));
                BOOST_TEST((joint.in_doubt() == (one == outcome::inconclusive ? earlier : other(earlier))));
            }
}

BOOST_AUTO_TEST_CASE(a_release_is_clean_when_both_are) {
    constexpr errc no_error{};
    for (const errc one : {no_error, errc::lease_lost, errc::no_quorum})
        for (const errc another : {no_error, errc::lease_lost, errc::no_quorum}) {
            const errc joint = joint_release(one, another);
            BOOST_TEST((joint == no_error) == (one == no_error && another == no_error));
            BOOST_TEST((joint == errc::lease_lost) ==
                       (one == errc::lease_lost || another == errc::lease_lost));
        }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::pair
