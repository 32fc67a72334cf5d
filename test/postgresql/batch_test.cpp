// What a transaction for many requests says to each of them.

#include "engines/sql/postgresql/advisory/statements.hpp"
#include "engines/sql/postgresql/session/handshake.hpp"
#include "engines/sql/postgresql/session/one_row.hpp"
#include "engines/sql/postgresql/session/statements.hpp"
#include "engines/sql/session/batch.hpp"
#include "engines/sql/wake_bucket.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace redlock::postgresql {
namespace {

using sql::batch;
using sql::reply;
using sql::request;

using kind = request::kind;
using told = reply::kind;

struct asked final : request {
    using request::request;
    void answered(const reply&) noexcept override {}
};

struct batch_fixture {
    request& ask(kind k, const std::string& key) {
        const core::lock_token drawn(core::client_name(1), 0, ++draws);
        auto c = std::make_shared<sql::claim>("", engine::key_name(detail::key_text(key)), drawn);
        requests.push_back(std::make_unique<asked>(k, std::move(c), std::chrono::milliseconds(1000)));
        all.add(*requests.back());
        return *requests.back();
    }
    std::map<const request*, reply> read(const std::vector<sql::answer>& answers) {
        std::map<const request*, reply> replies;
        for (const auto& [r, what] : all.read(answers, core::instant{}, meaning_of))
            replies[r] = what;
        BOOST_TEST(all.empty());
        return replies;
    }
    static sql::answer rows(std::vector<sql::answer::row> r) { return {.rows = std::move(r)}; }

    std::uint64_t draws = 0;
    std::vector<std::unique_ptr<request>> requests;
    batch all;
};

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
