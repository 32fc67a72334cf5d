// What may be sent of locks of a session: everything that can happen to one key, up to a depth.

#include "engines/sql/session/session_ledger.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <deque>
#include <string_view>

namespace redlock::sql {
namespace {

using verdict = session_ledger::verdict;

constexpr std::string_view key = "key";
constexpr std::array<std::string_view, 2> tokens{"one", "two"};

/// The ledger, and the server of which it must know what it has locked without looking.
struct world {
    struct sent {
        bool acquires;
        std::size_t whose;
    };

    session_ledger ledger;
    std::deque<sent> on_its_way;
    int times_locked = 0; ///< by the session
    std::array<bool, 2> holds{};

    void acquire(std::size_t who) {
        const bool is_free = !holds[0] && !holds[1] && !is_asked_for();
        const verdict v = ledger.acquire(key, tokens[who]);
        BOOST_TEST((v == (is_free ? verdict::send : verdict::busy)));
        if (v == verdict::send) on_its_way.push_back({true, who});
    }
    void release(std::size_t who) {
        const verdict v = ledger.release(key, tokens[who]);
        BOOST_TEST((v == (holds[who] ? verdict::send : verdict::gone)));
        holds[who] = false;
        if (v == verdict::send) on_its_way.push_back({false, who});
    }
    /// The server carries out what came first. `others`: somebody else's session may have the key.
    void serve(bool others_have_it) {
        const sent s = on_its_way.front();
        on_its_way.pop_front();
        if (!s.acquires) {
            --times_locked;
        } else {
            const bool granted = times_locked > 0 || !others_have_it;
            times_locked += granted;
            holds[s.whose] = granted;
            ledger.answered(key, tokens[s.whose], granted);
        }
    }
    void end_session() {
        ledger.session_ended();
        on_its_way.clear();
        times_locked = 0;
        holds = {};
    }
    bool is_asked_for() const {
        for (const sent& s : on_its_way)
            if (s.acquires) return true;
        return false;
    }
    void check() const {
        BOOST_TEST((times_locked == 0 || times_locked == 1));
        for (std::size_t who : {0u, 1u})
            BOOST_TEST((ledger.keep(key, tokens[who]) == (holds[who] ? verdict::send : verdict::gone)));
        if (!on_its_way.empty()) return;
        BOOST_TEST(times_locked == (holds[0] || holds[1]));
        BOOST_TEST(ledger.size() == static_cast<std::size_t>(times_locked));
    }
};

std::size_t explore(const world& from, unsigned depth) {
    from.check();
    if (depth == 0) return 1;
    std::size_t seen = 0;
    const auto go = [&](auto what) {
        world next = from;
        what(next);
        seen += explore(next, depth - 1);
    };
    for (const std::size_t who : {0u, 1u}) {
        go([&](world& w) { w.acquire(who); });
        go([&](world& w) { w.release(who); });
    }
    if (!from.on_its_way.empty())
        for (const bool others : {false, true})
            go([&](world& w) { w.serve(others); });
    go([](world& w) { w.end_session(); });
    return seen;
}

BOOST_AUTO_TEST_SUITE(session_ledger_suite)

BOOST_AUTO_TEST_CASE(the_session_never_has_a_key_twice_and_gives_back_what_it_has) {
    BOOST_TEST(explore({}, 6) > 10'000u);
}

BOOST_AUTO_TEST_CASE(keys_have_nothing_to_do_with_each_other) {
    session_ledger l;
    BOOST_TEST((l.acquire("a", "one") == verdict::send));
    BOOST_TEST((l.acquire("b", "one") == verdict::send));
    l.answered("a", "one", true);
    BOOST_TEST((l.keep("a", "one") == verdict::send));
    BOOST_TEST((l.keep("b", "one") == verdict::gone));
    l.answered("b", "two", true); // nobody has asked like that
    BOOST_TEST((l.keep("b", "two") == verdict::gone));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::sql
