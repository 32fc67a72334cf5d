#include "core/random.hpp"
#include "primitive/keys/ordered_taking.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <vector>

namespace redlock::test {
namespace {

using primitive::ordered_taking;
using step = ordered_taking::step;

BOOST_AUTO_TEST_SUITE(ordered_taking_suite)

BOOST_AUTO_TEST_CASE(all_are_asked_for_at_once) {
    ordered_taking rule(3, true);
    BOOST_TEST((rule.begin() == step::ask_for_rest));
    BOOST_TEST(rule.first() == 0u);
    BOOST_TEST((rule.asked(3) == step::granted));
}

BOOST_AUTO_TEST_CASE(what_stands_before_a_refused_key_stays) {
    ordered_taking rule(4, true);
    rule.begin();
    BOOST_TEST((rule.asked(2) == step::wait_for_first));
    BOOST_TEST(rule.first() == 2u);
    BOOST_TEST((rule.waited() == step::ask_for_rest));
    BOOST_TEST(rule.first() == 3u);
    BOOST_TEST((rule.asked(3) == step::wait_for_first));
    BOOST_TEST((rule.waited() == step::granted));
}

BOOST_AUTO_TEST_CASE(one_attempt_does_not_wait) {
    ordered_taking rule(2, false);
    rule.begin();
    BOOST_TEST((rule.asked(1) == step::refused));
}

BOOST_AUTO_TEST_CASE(after_a_loss_all_are_asked_for_again) {
    ordered_taking rule(3, true);
    rule.begin();
    rule.asked(2);
    BOOST_TEST((rule.lost() == step::ask_for_rest));
    BOOST_TEST(rule.first() == 0u);
}

// Several callers with random sets of few keys, which act in any order: somebody can always go on.
BOOST_AUTO_TEST_CASE(nobody_waits_for_ever) {
    struct caller {
        std::vector<std::size_t> keys;
        ordered_taking rule;
        step next;
    };
    constexpr std::size_t keys = 4;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        core::random random(seed);
        std::vector<std::optional<std::size_t>> holder(keys);
        std::vector<caller> callers;
        for (std::size_t i = 0; i < 4; ++i) {
            std::vector<std::size_t> wanted;
            for (std::size_t key = 0; key < keys; ++key)
                if (random() % 2 == 0) wanted.push_back(key);
            if (wanted.empty()) wanted.push_back(0);
            ordered_taking rule(wanted.size(), true);
            const step first = rule.begin();
            callers.push_back({wanted, rule, first});
        }
        std::size_t granted = 0;
        std::size_t idle = 0;
        while (granted < callers.size()) {
            BOOST_REQUIRE(idle < 10'000u);
            const std::size_t me = random() % callers.size();
            caller& c = callers[me];
            ++idle;
            if (c.next == step::granted) continue;
            const auto take = [&](std::size_t position) {
                auto& at = holder[c.keys[position]];
                if (at) return false;
                at = me;
                return true;
            };
            if (c.next == step::wait_for_first) {
                if (!take(c.rule.first())) continue;
                c.next = c.rule.waited();
            } else {
                std::size_t refused = c.keys.size();
                std::vector<std::size_t> taken;
                for (std::size_t i = c.rule.first(); i < c.keys.size(); ++i) {
                    if (take(i))
                        taken.push_back(i);
                    else if (refused == c.keys.size())
                        refused = i;
                }
                for (const std::size_t i : taken)
                    if (i > refused) holder[c.keys[i]].reset();
                c.next = c.rule.asked(refused);
            }
            idle = 0;
            if (c.next != step::granted) continue;
            for (const std::size_t key : c.keys) {
                BOOST_REQUIRE((holder[key] == me));
                holder[key].reset();
            }
            ++granted;
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
