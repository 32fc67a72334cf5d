// What is sent for one request alone, and what its answer says.

#include "batch_fixture.hpp"
#include "engines/sql/postgresql/advisory/statements.hpp"
#include "engines/sql/postgresql/session/one_row.hpp"
#include "engines/sql/postgresql/session/statements.hpp"

#include <boost/test/unit_test.hpp>

namespace redlock::postgresql {
namespace {

BOOST_FIXTURE_TEST_SUITE(one_alone_suite, batch_fixture)

BOOST_AUTO_TEST_CASE(one_lock_of_a_session_alone_has_a_statement_of_its_own) {
    ask(kind::acquire, "a");
    sql::statements sent = advisory::transaction(all, 7, 1);
    BOOST_REQUIRE(sent.size() == 1u);
    BOOST_TEST(sent[0].name == "redlock_acquire_one");
    ask(kind::release, "b");
    sent = advisory::transaction(all, 7, 1);
    BOOST_REQUIRE(sent.size() == 2u);
    BOOST_TEST(sent[0].name == release_name);
    BOOST_TEST(sent[1].name == acquire_name);
    all.lose(errc::closed, {});
    ask(kind::release, "b");
    sent = advisory::transaction(all, 7, 1);
    BOOST_REQUIRE(sent.size() == 1u);
    BOOST_TEST(sent[0].name == "redlock_release_one");
    ask(kind::release, "c");
    sent = advisory::transaction(all, 7, 1);
    BOOST_REQUIRE(sent.size() == 1u);
    BOOST_TEST(sent[0].name == release_name);
    all.lose(errc::closed, {});
}

BOOST_AUTO_TEST_CASE(one_row_alone_has_a_statement_of_its_own) {
    ask(kind::acquire, "a");
    sql::statements sent = transaction(all, 7, 1, "web-1");
    BOOST_REQUIRE(sent.size() == 1u);
    BOOST_TEST(sent[0].name == one_row::acquire_name);
    BOOST_REQUIRE(sent[0].given.size() == 5u);
    BOOST_TEST(sent[0].given[0] == "a");
    BOOST_TEST(sent[0].given[1] == requests.back()->of->token());
    BOOST_TEST(sent[0].given[4] == "web-1");
    BOOST_TEST(transaction(all, 7, 1)[0].given.size() == 4u); // a table without labels
    BOOST_TEST((all.alone() == requests.back().get()));
    ask(kind::acquire, "b");
    BOOST_TEST(transaction(all, 7, 1)[0].name == acquire_name);
    BOOST_TEST(!all.alone());
    all.lose(errc::closed, {});
    BOOST_TEST(!all.alone());
    ask(kind::release, "a");
    sent = transaction(all, 7, 1, "web-1");
    BOOST_REQUIRE(sent.size() == 1u);
    BOOST_TEST(sent[0].name == one_row::release_name);
    BOOST_TEST(sent[0].given.size() == 4u);
    ask(kind::acquire, "a");
    sent = transaction(all, 7, 1, "web-1");
    BOOST_REQUIRE(sent.size() == 2u);
    BOOST_TEST(sent[0].name == release_name);
    BOOST_TEST(sent[1].name == acquire_name);
    all.lose(errc::closed, {});
}

BOOST_AUTO_TEST_CASE(a_row_that_was_left_is_taken_by_a_statement_that_says_only_the_token) {
    request& r = ask(kind::acquire, "a");
    r.row_was_left = true;
    const sql::statement sent = transaction(all, 7, 1, "web-1")[0];
    BOOST_TEST(sent.name == one_row::retake_name);
    const sql::statement missed = one_row::statement_for_missed(r, 7, 1, "web-1");
    BOOST_TEST(missed.name == one_row::acquire_name);
    BOOST_TEST(missed.given == sent.given);
    std::vector<sql::answer> none{rows({})}, token{rows({{"71"}})};
    std::vector<sql::answer> failure{{.rows = {}, .error_code = "55P03", .error_text = "no"}};
    BOOST_TEST(!one_row::read(r, none));
    BOOST_TEST(one_row::read(r, failure));
    BOOST_TEST(one_row::read(r, token));
    const reply got = read(token)[&r];
    BOOST_TEST((got.what == told::done));
    BOOST_TEST(got.fencing_token == 71u);
}

BOOST_AUTO_TEST_CASE(a_row_that_was_not_left_is_answered_for_as_many_are) {
    request& r = ask(kind::acquire, "a");
    std::vector<sql::answer> held{rows({{"1", std::nullopt, std::nullopt, "20"}})};
    BOOST_TEST(one_row::read(r, held));
    BOOST_TEST((read(held)[&r].what == told::refused));
}

BOOST_AUTO_TEST_CASE(a_release_alone_says_in_one_number_what_became_of_it) {
    const auto outcome_of = [&](const sql::answer::cell& said) {
        request& r = ask(kind::release, "a");
        std::vector<sql::answer> answers{rows({{said}})};
        BOOST_TEST(one_row::read(r, answers));
        return read(answers)[&r].what;
    };
    BOOST_TEST((outcome_of("1") == told::done));
    BOOST_TEST(all.awaited().empty());
    BOOST_TEST((outcome_of("3") == told::done));
    BOOST_TEST(all.awaited().size() == 1u);
    BOOST_TEST((outcome_of("2") == told::refused)); // it came too late
    BOOST_TEST(all.awaited().size() == 1u);
    for (const char* odd : {"0", "4", "-1", "x", ""})
        BOOST_TEST((outcome_of(odd) == told::refused));
    BOOST_TEST((outcome_of(std::nullopt) == told::refused));
    BOOST_TEST(all.awaited().empty());
}

BOOST_AUTO_TEST_CASE(a_lock_of_a_session_alone_is_answered_with_a_number) {
    const auto reply_to = [&](kind k, const sql::answer::cell& said) {
        request& r = ask(k, "a");
        std::vector<sql::answer> answers{rows({{said}})};
        advisory::read(all, answers);
        return read(answers)[&r];
    };
    BOOST_TEST((reply_to(kind::acquire, "71").what == told::done));
    BOOST_TEST(reply_to(kind::acquire, "72").fencing_token == 72u);
    BOOST_TEST((reply_to(kind::acquire, std::nullopt).what == told::refused));
    BOOST_TEST((reply_to(kind::acquire, std::nullopt).ends_in == std::chrono::milliseconds(250)));
    BOOST_TEST((reply_to(kind::release, "1").what == told::done));
    BOOST_TEST((reply_to(kind::release, "3").what == told::done));
    BOOST_TEST(all.awaited().size() == 1u);
    BOOST_TEST((reply_to(kind::release, "0").what == told::refused));
    // Of many it has the form that it comes in.
    ask(kind::acquire, "b");
    ask(kind::acquire, "c");
    std::vector<sql::answer> many{rows({{"1", std::nullopt, std::nullopt, "250"}})};
    const auto before = many;
    advisory::read(all, many);
    BOOST_TEST((many.front().rows == before.front().rows));
    all.lose(errc::closed, {});
}

BOOST_AUTO_TEST_CASE(a_row_alone_without_a_statement_of_its_own_is_asked_for_as_many_are) {
    for (const std::size_t length : {std::size_t{2048}, std::size_t{2049}}) {
        ask(kind::acquire, std::string(length, 'k'));
        BOOST_TEST(transaction(all, 7, 1)[0].name == (length == 2048 ? one_row::acquire_name : acquire_name));
        all.lose(errc::closed, {});
    }
    for (const auto& [what, name] : {std::pair(kind::renew, renew_name), {kind::advance, advance_name}}) {
        ask(what, "a");
        BOOST_TEST(transaction(all, 7, 1)[0].name == name);
        all.lose(errc::closed, {});
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::postgresql
