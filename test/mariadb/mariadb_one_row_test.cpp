// What is sent for one key alone, and what its answers come to.

#include "engines/sql/mariadb/session/handshake.hpp"
#include "engines/sql/mariadb/session/one_row.hpp"
#include "engines/sql/mariadb/session/statements.hpp"
#include "engines/sql/mariadb/session/wishes.hpp"
#include "engines/sql/session/batch.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::mariadb {
namespace {

using sql::reply;
using sql::request;
using kind = request::kind;
using told = reply::kind;

struct one_asked final : request {
    using request::request;
    void answered(const reply&) noexcept override {}
};

struct one_row_fixture {
    request& ask(kind k, const std::string& key = "key") {
        const core::lock_token drawn(core::client_name(1), 0, ++draws);
        auto c = std::make_shared<sql::claim>("", engine::key_name(detail::key_text(key)), drawn);
        requests.push_back(std::make_unique<one_asked>(k, std::move(c), std::chrono::milliseconds(1500)));
        all.add(*requests.back());
        return *requests.back();
    }
    /// The answer of a statement without rows.
    static std::vector<sql::answer> counted(const char* rows, const char* number) {
        return {{.rows = {{rows, number}}}};
    }
    reply only(const std::vector<sql::answer>& answers) {
        const auto replies = all.read(answers, core::instant{}, meaning_of);
        BOOST_REQUIRE(replies.size() == 1u);
        return replies.front().second;
    }
    std::string sent(std::string_view label = "", bool of_mysql = false) const {
        const sql::statements texts = transaction(all, 70, label, of_mysql);
        BOOST_REQUIRE(texts.size() == 1u);
        return texts.front().text;
    }

    std::uint64_t draws = 0;
    std::vector<std::unique_ptr<request>> requests;
    sql::batch all;
};

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

BOOST_FIXTURE_TEST_SUITE(mariadb_one_row, one_row_fixture)

BOOST_AUTO_TEST_CASE(a_grant_comes_with_its_fencing_token) {
    request& r = ask(kind::acquire);
    auto answers = counted("1", "71");
    BOOST_TEST(one_row::read_acquire(r, answers));
    const reply got = only(answers);
    BOOST_TEST((got.what == told::done));
    BOOST_TEST(got.fencing_token == 71u);
}

BOOST_AUTO_TEST_CASE(a_refusal_comes_with_what_is_left) {
    request& r = ask(kind::acquire);
    auto answers = counted("0", "9990");
    BOOST_TEST(one_row::read_acquire(r, answers));
    const reply got = only(answers);
    BOOST_TEST((got.what == told::refused));
    BOOST_TEST((got.ends_in == std::chrono::milliseconds(9990)));
}

BOOST_AUTO_TEST_CASE(what_says_nothing_of_the_key_is_asked_for_as_many_are) {
    request& r = ask(kind::acquire);
    for (auto answers : {counted("0", "0"), counted("1", "0"), counted("0", "-1"), counted("x", "5"),
                         counted("1", "99999999999999999999"), std::vector<sql::answer>{},
                         std::vector<sql::answer>{sql::answer{}}})
        BOOST_TEST(!one_row::read_acquire(r, answers));
}

BOOST_AUTO_TEST_CASE(a_row_in_the_hands_of_others_is_busy) {
    ask(kind::acquire);
    const sql::answer waits{.rows = {}, .error_code = "1205", .error_text = "Lock wait timeout"};
    BOOST_TEST((only({waits}).what == told::busy));
}

BOOST_AUTO_TEST_CASE(who_gives_back_or_renews_hears_whether_it_had_the_key) {
    ask(kind::release);
    BOOST_TEST((only(counted("1", "1")).what == told::done));
    ask(kind::release);
    BOOST_TEST((only(counted("1", "0")).what == told::refused)); // it came too late
    ask(kind::release);
    BOOST_TEST((only(counted("0", "0")).what == told::refused));
    ask(kind::renew);
    BOOST_TEST((only(counted("1", "0")).what == told::done));
    ask(kind::renew);
    BOOST_TEST((only(counted("0", "0")).what == told::refused));
}

BOOST_AUTO_TEST_CASE(one_statement_is_sent_and_no_transaction_around_it) {
    for (const kind k : {kind::release, kind::renew, kind::acquire}) {
        all = {};
        ask(k);
        for (const bool of_mysql : {false, true}) {
            const std::string text = sent("", of_mysql);
            BOOST_TEST(!has(text, "TRANSACTION"));
            BOOST_TEST(!has(text, ";"));
            BOOST_TEST(has(text, "SKIP LOCKED") == (of_mysql && k == kind::acquire));
            BOOST_TEST(has(text, "SET STATEMENT") == (!of_mysql && k == kind::acquire));
        }
    }
}

BOOST_AUTO_TEST_CASE(what_was_prepared_is_given_values_alone) {
    const std::string odd = "a'b\\c\"d\n\xff;--{0}";
    for (const kind k : {kind::release, kind::acquire}) {
        all = {};
        const request& r = ask(k, odd);
        const std::string text = transaction(all, 70, odd, false, true).front().text;
        BOOST_TEST(text.starts_with(k == kind::acquire ? "EXECUTE redlock_acquire USING '"
                                                       : "EXECUTE redlock_release USING x'"));
        BOOST_TEST(has(text, fmt::format("'{}'", r.of->token())));
        BOOST_TEST(has(text, literal(odd)));
        BOOST_TEST(!has(text, odd));
        BOOST_TEST(!has(text, ";"));
    }
    all = {};
    ask(kind::renew);
    BOOST_TEST(transaction(all, 70, "", false, true).front().text == sent());
}

BOOST_AUTO_TEST_CASE(new_tokens_and_several_keys_go_as_many_do) {
    ask(kind::advance);
    BOOST_TEST(sent().starts_with("START TRANSACTION"));
    all = {};
    ask(kind::acquire);
    ask(kind::acquire, "other");
    BOOST_TEST(sent().starts_with("START TRANSACTION"));
    all = {};
    ask(kind::acquire);
    ask(kind::release, "other");
    BOOST_TEST(sent().starts_with("START TRANSACTION"));
}

BOOST_AUTO_TEST_CASE(neither_a_key_nor_a_label_can_break_it) {
    const std::string odd = "a'b\\c\"d\n\xff;--{0}";
    for (const kind k : {kind::release, kind::renew, kind::acquire}) {
        all = {};
        ask(k, odd);
        for (const bool of_mysql : {false, true}) {
            const std::string text = sent(odd, of_mysql);
            BOOST_TEST(!has(text, odd));
            BOOST_TEST(has(text, literal(odd)));
        }
    }
    all = {};
    ask(kind::acquire, std::string(4096, 'k'));
    BOOST_TEST(has(sent(), "UNHEX(SHA2("));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::mariadb
