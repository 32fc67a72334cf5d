// What a transaction for many requests says to each of them.

#include "batch_fixture.hpp"
#include "engines/sql/postgresql/session/statements.hpp"
#include "engines/sql/wake_bucket.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace redlock::postgresql {
namespace {

BOOST_FIXTURE_TEST_SUITE(batch_suite, batch_fixture)

BOOST_AUTO_TEST_CASE(statements_stand_in_the_order_that_makes_nobody_wait_in_a_circle) {
    ask(kind::acquire, "a");
    ask(kind::advance, "b");
    ask(kind::renew, "c");
    ask(kind::release, "d");
    ask(kind::release, "e");
    const sql::statements sent = transaction(all, 7, 1);
    BOOST_REQUIRE(sent.size() == 4u);
    BOOST_TEST(sent[0].name == release_name);
    BOOST_TEST(sent[1].name == renew_name);
    BOOST_TEST(sent[2].name == advance_name);
    BOOST_TEST(sent[3].name == acquire_name);
    BOOST_TEST(sent[3].given.size() == 4u);
    // With room in the table who acquires says who that is, be it nothing.
    for (const char* label : {"", "web-1"}) {
        const sql::statements labelled = transaction(all, 7, 1, label);
        BOOST_TEST(labelled[2].given.size() == 3u);
        BOOST_REQUIRE(labelled[3].given.size() == 5u);
        BOOST_TEST(labelled[3].given[4] == label);
    }
    all.lose(errc::closed, {});
}

// It is the commit of the whole transaction that does not wait.
BOOST_AUTO_TEST_CASE(only_what_does_nothing_but_release_does_not_wait_for_the_disk) {
    for (const kind other : {kind::release, kind::renew, kind::advance, kind::acquire}) {
        ask(kind::release, "a");
        ask(other, "b");
        const sql::statements sent = transaction(all, 7, 1);
        BOOST_REQUIRE(sent.size() == 2u);
        BOOST_TEST(sent[0].name == release_name);
        BOOST_TEST((sent[1].name == std::string(unwaited_name)) == (other == kind::release));
        all.lose(errc::closed, {});
    }
    for (const char* key : {"a", "b"}) {
        ask(kind::release, key);
        all.must_wait(true);
        BOOST_REQUIRE(transaction(all, 7, 1).size() == 1u);
        BOOST_TEST(transaction(all, 7, 1)[0].name == release_name);
        all.must_wait(false);
    }
    all.lose(errc::closed, {});
    const request& first = ask(kind::release, "a");
    const request& second = ask(kind::release, "b");
    const auto replies = read({rows({{"1", "1", "0"}}), rows({{"off"}})});
    BOOST_TEST((replies.at(&first).what == told::done));
    BOOST_TEST((replies.at(&second).what == told::refused));
}

BOOST_AUTO_TEST_CASE(a_row_is_a_yes_and_none_is_a_no) {
    const request& kept = ask(kind::renew, "a");
    const request& gone = ask(kind::renew, "b");
    const request& given = ask(kind::release, "c");
    const request& late = ask(kind::release, "d");
    const auto replies = read({rows({{"1", "1"}, {"2", "0"}}), rows({{"1"}})});
    BOOST_TEST((replies.at(&kept).what == told::done));
    BOOST_TEST((replies.at(&gone).what == told::refused));
    BOOST_TEST((replies.at(&given).what == told::done));
    BOOST_TEST((replies.at(&late).what == told::refused));
}

BOOST_AUTO_TEST_CASE(it_says_for_which_of_the_keys_that_it_freed_somebody_waits) {
    ask(kind::release, "a");
    ask(kind::release, "b");
    ask(kind::release, "a");
    ask(kind::renew, "c");
    read({rows({{"1", "1", "1"}, {"2", "1", "0"}, {"3", "0", "1"}, {"4", "1", "1"}}),
          rows({{"1", "1", "1"}})});
    BOOST_REQUIRE(all.awaited().size() == 1u);
    BOOST_TEST(all.awaited()[0] == static_cast<std::int64_t>(sql::wake_bucket("a")));
    ask(kind::release, "a");
    read({rows({{"1", "1", "0"}})});
    BOOST_TEST(all.awaited().empty());
}

BOOST_AUTO_TEST_CASE(an_acquire_is_granted_held_or_busy) {
    const request& taken = ask(kind::acquire, "a");
    const request& made = ask(kind::acquire, "b");
    const request& held = ask(kind::acquire, "c");
    const request& busy = ask(kind::acquire, "d");
    const auto replies = read({rows({{"1", std::string(taken.of->token()), "7", std::nullopt},
                                     {std::nullopt, std::string(made.of->token()), "8", std::nullopt},
                                     {"3", std::nullopt, std::nullopt, "1500"}})});
    BOOST_TEST((replies.at(&taken).what == told::done));
    BOOST_TEST(replies.at(&taken).fencing_token == 7u);
    BOOST_TEST((replies.at(&made).what == told::done));
    BOOST_TEST(replies.at(&made).fencing_token == 8u);
    BOOST_TEST((replies.at(&held).what == told::refused));
    BOOST_TEST((replies.at(&held).ends_in == std::chrono::milliseconds(1500)));
    BOOST_TEST((replies.at(&busy).what == told::busy));
}

BOOST_AUTO_TEST_CASE(one_error_is_that_of_all) {
    const request& given = ask(kind::release, "a");
    const request& wanted = ask(kind::acquire, "b");
    const auto replies = read({rows({{"1", "1"}}), {.rows = {}, .error_code = "42501", .error_text = "no"}});
    for (const request* r : {&given, &wanted}) {
        BOOST_TEST((replies.at(r).what == told::failed));
        BOOST_TEST((replies.at(r).why == errc::permission_denied));
    }
}

BOOST_AUTO_TEST_CASE(rows_in_somebodys_hands_are_busy_for_those_who_want_them) {
    const request& given = ask(kind::release, "a");
    const request& wanted = ask(kind::acquire, "b");
    std::map<const request*, reply> replies;
    const std::vector<sql::answer> answers{{.rows = {}, .error_code = "1213", .error_text = "deadlock"}};
    for (const auto& [r, what] : all.read(answers, {}, [](const sql::answer&) { return errc::held; }))
        replies[r] = what;
    BOOST_TEST((replies.at(&wanted).what == told::busy));
    BOOST_TEST((replies.at(&given).what == told::failed));
    BOOST_TEST((replies.at(&given).why == errc::node_timeout));
}

BOOST_AUTO_TEST_CASE(odd_answers_grant_nothing) {
    const request& wanted = ask(kind::acquire, "a");
    const request& advanced = ask(kind::advance, "b");
    const auto replies = read({rows({{"0", "5"}, {"2", "5"}, {"x", "5"}, {}, {std::nullopt}}),
                               rows({{"1", std::nullopt, "9"},
                                     {"1", "somebody else's", "9"},
                                     {"-1", std::nullopt, std::nullopt, "99"},
                                     {"1", std::nullopt, std::nullopt, "-5"},
                                     {}})});
    BOOST_TEST((replies.at(&advanced).what == told::refused));
    BOOST_TEST((replies.at(&wanted).what == told::busy));
}

BOOST_AUTO_TEST_CASE(a_missing_answer_is_one_that_nobody_knows) {
    const request& given = ask(kind::release, "a");
    const request& wanted = ask(kind::acquire, "b");
    const auto replies = read({rows({{"1", "1"}})});
    BOOST_TEST((replies.at(&given).what == told::done));
    BOOST_TEST((replies.at(&wanted).what == told::unknown));
}

BOOST_AUTO_TEST_CASE(it_has_a_limit_and_names_each_freed_group_once) {
    for (std::size_t i = 0; i < batch::most; ++i)
        ask(kind::release, "key");
    BOOST_TEST(!all.takes(kind::release));
    BOOST_TEST(all.takes(kind::renew));
    BOOST_REQUIRE(all.freed().size() == 1u);
    BOOST_TEST(all.freed()[0] == static_cast<std::int64_t>(sql::wake_bucket("key")));
    all.lose(errc::closed, {});
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::postgresql
