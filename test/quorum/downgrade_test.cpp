// Errands for leases of other kinds: one for writing that becomes one for reading, and what a leader
// proclaims.

#include "contest_fixture.hpp"
#include "engines/redis/dialect/scripts.hpp"

#include <algorithm>
#include <optional>

namespace redlock::test {
namespace {

struct errand_ear final : engine::renewal_listener, engine::proclamation_listener {
    void renewal_decided(engine::outcome how, core::instant sent, errc reason,
                         const engine::failure* more) noexcept override {
        sent_at = sent;
        proclaimed(how, reason, more);
    }
    void proclaimed(engine::outcome how, errc reason, const engine::failure* more) noexcept override {
        BOOST_TEST(!decided.has_value());
        decided = how;
        why = reason;
        if (more) text = more->describe("granted the lock \"k\"");
    }
    std::optional<engine::outcome> decided;
    core::instant sent_at{};
    errc why{};
    std::string text;
};

/// Nothing while more answers are needed: a node that failed may as well have said yes.
std::optional<engine::outcome> outcome_of_errand(const std::string& answers) {
    const auto of = [&](char c) { return static_cast<std::size_t>(std::ranges::count(answers, c)); };
    const std::size_t needed = answers.size() / 2 + 1;
    if (of('+') >= needed) return engine::outcome::confirmed;
    if (of('-') > answers.size() - needed) return engine::outcome::gone;
    if (of('?') > 0) return std::nullopt;
    return engine::outcome::inconclusive;
}

struct errands_fixture : contest_fixture {
    using contest_fixture::contest_fixture;

    engine::claim_pointer claim_of(redlock::mode m, bool fencing = false) {
        return engine().claim_key("", {detail::key_text("k"), m}, fencing);
    }
    void downgrade() {
        ear = {};
        turn([&] {
            held = claim_of(mode::write);
            errand = engine().downgrade(held, claim_of(mode::read), 1000ms, ear);
        });
    }
    void proclaim(std::string value = "here") {
        ear = {};
        turn([&] { errand = engine().proclaim(leading, 7, std::move(value), ear); });
    }
    bool runs(unsigned node, redis::script s) const {
        return asks(node, text_of(s)) || asks(node, hash_of(s));
    }
    bool row_is_over() { return static_cast<const redis::claim&>(*held).row.is_over(clock); }

    engine::claim_pointer held;
    engine::claim_pointer leading = [this] {
        engine::key_name name(detail::key_text("k"));
        name.leads = true;
        return engine().claim_key("", std::move(name), true);
    }();
    errand_ear ear;
    engine::errand_pointer<> errand;
};

constexpr const char* no_script = "-NOSCRIPT No matching script.\r\n";

BOOST_AUTO_TEST_SUITE(errands_of_kinds)

BOOST_AUTO_TEST_CASE(a_downgrade_is_decided_by_a_majority_that_entered_the_reader) {
    for (const unsigned nodes : {1u, 3u, 5u})
        for (const std::string& answers : all_answers(nodes, "+-!?")) {
            errands_fixture q(nodes);
            const core::instant sent = q.clock;
            q.downgrade();
            q.clock += 7ms;
            q.answer_each(answers, ":1\r\n", ":0\r\n");
            const auto expected = outcome_of_errand(answers);
            BOOST_TEST_CONTEXT(answers) {
                BOOST_TEST((q.ear.decided == expected));
                if (!expected) continue;
                BOOST_TEST((q.ear.sent_at == sent));
                if (expected == engine::outcome::inconclusive) {
                    BOOST_TEST((q.ear.why == errc::no_quorum));
                    BOOST_TEST(q.ear.text.find("entered among those who read") != std::string::npos);
                }
                // Others who read get in when it is given back: it is free for a moment.
                BOOST_TEST(q.row_is_over() == (expected == engine::outcome::confirmed));
            }
        }
}

BOOST_AUTO_TEST_CASE(what_a_server_refuses_is_no_answer) {
    errands_fixture q;
    q.downgrade();
    BOOST_TEST(q.runs(0, redis::script::downgrade));
    q.answer_each("+--", ":1\r\n", "-OOM command not allowed when used memory > 'maxmemory'.\r\n");
    BOOST_TEST((q.ear.decided == engine::outcome::inconclusive));
    BOOST_TEST((q.ear.why == errc::out_of_memory));
}

BOOST_AUTO_TEST_CASE(a_server_that_does_not_know_a_script_is_sent_it_while_somebody_waits) {
    for (const bool proclaims : {false, true}) {
        errands_fixture q;
        const auto begin = [&] { proclaims ? q.proclaim() : q.downgrade(); };
        begin();
        for (unsigned node = 0; node < 3; ++node)
            q.turn([&] { q.nodes[node]->answer(":1\r\n"); });
        BOOST_TEST((q.ear.decided == engine::outcome::confirmed));
        begin();
        for (unsigned node = 0; node < 3; ++node)
            BOOST_TEST(q.asks(node, "EVALSHA"));
        q.answer_each("-??", {}, no_script);
        BOOST_TEST(q.asks(0, text_of(proclaims ? redis::script::proclaim : redis::script::downgrade)));
        q.answer_each("++?", ":1\r\n", {});
        BOOST_TEST((q.ear.decided == engine::outcome::confirmed));
        q.answer_each("?\?-", {}, no_script);
        BOOST_TEST(q.nodes[2]->asked().empty());
        q.errand.reset();
        BOOST_TEST(q.quorum().stragglers().empty());
    }
}

BOOST_AUTO_TEST_CASE(what_is_proclaimed_stands_once_a_majority_has_it) {
    for (const std::string& answers : all_answers(3, "+-!?")) {
        errands_fixture q;
        q.proclaim();
        q.answer_each(answers, ":1\r\n", ":0\r\n");
        BOOST_TEST_CONTEXT(answers) { BOOST_TEST((q.ear.decided == outcome_of_errand(answers))); }
    }
}

BOOST_AUTO_TEST_CASE(each_proclamation_of_a_term_has_the_next_version) {
    errands_fixture q;
    for (const char* version : {"1", "2", "3"}) {
        q.proclaim("value" + std::string(version));
        for (unsigned node = 0; node < 3; ++node) {
            BOOST_TEST(q.runs(node, redis::script::proclaim));
            BOOST_TEST(
                q.asks(node, "\r\n$1\r\n7\r\n$1\r\n" + std::string(version) + "\r\n$6\r\nvalue" + version));
            q.turn([&] { q.nodes[node]->answer(":1\r\n"); });
        }
        BOOST_TEST((q.ear.decided == engine::outcome::confirmed));
    }
}

// Where it is missing the renewal puts it back; that is no vote of the renewal.
BOOST_AUTO_TEST_CASE(a_renewal_has_it_along) {
    errands_fixture q;
    q.proclaim();
    for (unsigned node = 0; node < 3; ++node)
        q.turn([&] { q.nodes[node]->answer(":1\r\n"); });
    for (const bool extended : {false, true}) {
        q.ear = {};
        q.turn([&] { q.errand = q.engine().renew(q.leading, 1000ms, 7, q.ear); });
        for (unsigned node = 0; node < 3; ++node)
            BOOST_TEST(q.runs(node, redis::script::extend_fenced));
        for (unsigned node = 0; node < 2; ++node)
            q.turn([&] { q.nodes[node]->answer(extended ? ":7\r\n" : ":0\r\n"); });
        for (unsigned node = 0; node < 2; ++node)
            BOOST_TEST(q.runs(node, redis::script::proclaim));
        q.turn([&] { q.nodes[0]->answer(":1\r\n"); });
        q.turn([&] { q.nodes[1]->fail(errc::node_timeout); });
        BOOST_TEST(q.ear.decided.has_value());
        q.errand.reset();
        while (!q.nodes[2]->asked().empty())
            q.turn([&] { q.nodes[2]->fail(errc::node_timeout); });
        BOOST_TEST(q.quorum().stragglers().empty());
    }
}

BOOST_AUTO_TEST_CASE(and_the_fence_of_one_who_reads_or_writes) {
    for (const redlock::mode m : {mode::read, mode::write, mode::exclusive})
        for (const bool fencing : {false, true}) {
            errands_fixture q;
            q.nodes[1]->refused = "ZADD";
            q.turn([&] { q.errand = q.engine().renew(q.claim_of(m, fencing), 1000ms, 2'000'000, q.ear); });
            const bool apart = fencing && m != mode::exclusive; // the script of the others raises it
            for (unsigned node = 0; node < 3; ++node) {
                const std::vector<std::string>& told = q.nodes[node]->told;
                BOOST_REQUIRE(told.size() == (apart && node != 1 ? 2u : 0u));
                if (told.empty()) continue;
                BOOST_TEST(told[0].find("ZADD") != std::string::npos);
                BOOST_TEST(told[0].find("2000000") != std::string::npos);
                BOOST_TEST(told[1].find("PEXPIRE") != std::string::npos);
            }
        }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
