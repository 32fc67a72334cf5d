// What is said over a new connection before the first lock, and what errors mean.

#include "engines/sql/mariadb/session/handshake.hpp"
#include "engines/sql/mariadb/session/statements.hpp"
#include "engines/sql/mariadb/session/wishes.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::mariadb {
namespace {

using namespace std::chrono_literals;
using next_step = handshake::step::kind;

sql::answer rows_of(std::vector<sql::answer::row> r) { return {.rows = std::move(r)}; }
sql::answer failure_of(const char* code) { return {.rows = {}, .error_code = code, .error_text = "no"}; }

/// Version, connection, read_only, flushes, the lock of the name, table, label.
sql::answer::row healthy() { return {"10.11.19-MariaDB-1", "77", "0", "1", "1", "1", "1"}; }

std::vector<sql::answer> greeted(sql::answer::row row) {
    return {rows_of({std::move(row)}), rows_of({{"Uptime", "5"}}),
            rows_of({{"hostname", "one"}, {"port", "3306"}, {"server_id", "1"}})};
}

bool says(const handshake::step& s, std::string_view text) {
    return s.next.size() == 1 && s.next.front().text.find(text) != std::string::npos;
}

struct mariadb_handshake_fixture {
    handshake fresh{std::nullopt, "redlock:new"};
};

BOOST_FIXTURE_TEST_SUITE(mariadb_handshake, mariadb_handshake_fixture)

BOOST_AUTO_TEST_CASE(where_all_is_there_it_notes_the_server) {
    BOOST_TEST(says(fresh.begin(1s), "GET_LOCK('redlock:new', 0)"));
    BOOST_TEST(says(fresh.answered(greeted(healthy())), hexadecimal("hostname=one;port=3306;server_id=1;")));
    BOOST_TEST((fresh.answered({rows_of({{"3", "1500"}})}).what == next_step::done));
    BOOST_TEST(fresh.found().facts.timeline == 3);
    BOOST_TEST(!fresh.found().facts.first_timeline);
    BOOST_TEST((fresh.found().facts.on_timeline == 1500ms));
    BOOST_TEST((fresh.found().facts.uptime == 5s));
    BOOST_TEST(fresh.found().facts.keeps_commits);
    BOOST_TEST(fresh.found().keeps_labels);
    BOOST_TEST(fresh.found().session == "redlock:new");
}

BOOST_AUTO_TEST_CASE(a_missing_table_is_made_once) {
    sql::answer::row none = healthy();
    none[5] = "0";
    fresh.begin(1s);
    const auto makes = fresh.answered(greeted(none));
    BOOST_TEST((makes.what == next_step::send));
    BOOST_TEST(makes.next.front().text.starts_with("CREATE TABLE IF NOT EXISTS redlock"));
    BOOST_TEST(says(fresh.answered({rows_of({{"1"}})}), "GET_LOCK"));
    BOOST_TEST((fresh.answered(greeted(none)).what == next_step::refuse));
}

BOOST_AUTO_TEST_CASE(who_takes_no_writes_or_is_too_old_or_makes_no_sense_is_refused) {
    const auto refused = [](std::size_t column, const sql::answer::cell& value) {
        handshake h(std::nullopt, "n");
        h.begin(1s);
        sql::answer::row row = healthy();
        row[column] = value;
        const auto s = h.answered(greeted(row));
        BOOST_TEST((s.what == next_step::refuse));
        BOOST_TEST(!s.text.empty());
        return s.why;
    };
    BOOST_TEST((refused(2, "1") == errc::read_only));
    BOOST_TEST((refused(2, std::nullopt) == errc::read_only));
    for (const char* old : {"10.5.9-MariaDB", "5.7.44", "7.9.1", "", "x", "99999999999.1"})
        BOOST_TEST((refused(0, old) == errc::unsupported));
    BOOST_TEST((refused(4, "0") == errc::server_error));
    for (const std::vector<sql::answer>& odd : std::vector<std::vector<sql::answer>>{
             {}, {rows_of({})}, {rows_of({healthy()})}, {rows_of({healthy()}), rows_of({}), rows_of({})}}) {
        handshake h(std::nullopt, "n");
        h.begin(1s);
        BOOST_TEST((h.answered(odd).why == errc::protocol_error));
    }
}

BOOST_AUTO_TEST_CASE(the_version_of_mysql_counts_otherwise) {
    sql::answer::row row = healthy();
    row[0] = "8.0.36";
    fresh.begin(1s);
    BOOST_TEST((fresh.answered(greeted(row)).what == next_step::send));
}

BOOST_AUTO_TEST_CASE(mariadb_prepares_what_one_key_takes_and_mysql_does_not) {
    fresh.begin(1s);
    BOOST_TEST(says(fresh.answered(greeted(healthy())), "COMMIT;\nPREPARE redlock_acquire FROM '"));
    fresh.answered({rows_of({{"3", "1500"}})});
    BOOST_TEST(fresh.found().keeps_prepared);
    sql::answer::row row = healthy();
    row[0] = "8.0.36";
    handshake of_mysql(std::nullopt, "n");
    of_mysql.begin(1s);
    BOOST_TEST(!says(of_mysql.answered(greeted(row)), "PREPARE"));
    of_mysql.answered({rows_of({{"3", "1500"}})});
    BOOST_TEST(!of_mysql.found().keeps_prepared);
}

BOOST_AUTO_TEST_CASE(a_server_without_room_for_what_is_prepared_does_without) {
    fresh.begin(1s);
    fresh.answered(greeted(healthy()));
    const auto again = fresh.answered({rows_of({{"3", "1500"}}), failure_of("1461")});
    BOOST_TEST(says(again, "token <> SHA2"));
    BOOST_TEST(!says(again, "PREPARE"));
    BOOST_TEST((handshake(fresh).answered({failure_of("1461")}).what == next_step::refuse));
    BOOST_TEST((fresh.answered({rows_of({{"3", "1500"}})}).what == next_step::done));
    BOOST_TEST(!fresh.found().keeps_prepared);
}

BOOST_AUTO_TEST_CASE(eras_without_room_in_a_token_are_refused) {
    for (const char* era : {"0", "-1", "524288", "99999999999999999999", "x"}) {
        handshake h(std::nullopt, "n");
        h.begin(1s);
        h.answered(greeted(healthy()));
        BOOST_TEST((h.answered({rows_of({{era, "1"}})}).why == errc::unsupported));
    }
}

BOOST_AUTO_TEST_CASE(what_the_session_before_had_under_way_is_ended_first) {
    const sql::server before{.session = "redlock:old"};
    handshake again(before, "redlock:new");
    again.begin(1s);
    BOOST_TEST(says(again.answered(greeted(healthy())), "IS_USED_LOCK('redlock:old')"));
    for (int i = 0; i < 10; ++i) {
        BOOST_TEST(again.answered({rows_of({{"41"}})}).next.front().text == "KILL 41");
        // It may have gone by itself.
        const auto asks = again.answered({i % 2 == 0 ? rows_of({{"1"}}) : failure_of("1094")});
        BOOST_TEST((asks.what == next_step::send_later));
        BOOST_TEST(says(asks, "IS_USED_LOCK('redlock:old')"));
    }
    BOOST_TEST(says(again.answered({rows_of({{std::nullopt}})}), "token <> SHA2"));
}

BOOST_AUTO_TEST_CASE(it_does_not_look_for_ever_and_another_user_need_not) {
    const sql::server before{.session = "redlock:old"};
    handshake again(before, "redlock:new");
    again.begin(1s);
    again.answered(greeted(healthy()));
    handshake other = again;
    handshake::step s{.what = next_step::send};
    for (int i = 0; i < 1000 && s.what != next_step::refuse; ++i) {
        s = again.answered({rows_of({{"41"}})});
        if (s.what != next_step::refuse) again.answered({rows_of({{"1"}})});
    }
    BOOST_TEST((s.what == next_step::refuse));
    other.answered({rows_of({{"41"}})});
    BOOST_TEST(says(other.answered({failure_of("1095")}), "token <> SHA2"));
}

BOOST_AUTO_TEST_CASE(errors_of_mariadb_have_their_meaning) {
    const auto meaning = [](const char* code) { return meaning_of(failure_of(code)); };
    BOOST_TEST((meaning("1205") == errc::held));
    BOOST_TEST((meaning("1213") == errc::held));
    BOOST_TEST((meaning("1969") == errc::node_timeout));
    BOOST_TEST((meaning("1142") == errc::permission_denied));
    BOOST_TEST((meaning("1290") == errc::read_only));
    BOOST_TEST((meaning("1114") == errc::out_of_memory));
    BOOST_TEST((meaning("1146") == errc::server_error));
    BOOST_TEST((meaning("") == errc::server_error));
}

BOOST_AUTO_TEST_CASE(no_key_and_no_token_of_others_can_break_a_statement) {
    const std::string key = "a'b\\c\"d\n\xff;--";
    for (const sql::statement& s :
         {look(key), is_current(key, 7), take_away(key, key), list(key, key, 5), holders_among({key})}) {
        BOOST_TEST(s.text.find(key) == std::string::npos);
        BOOST_TEST(s.text.find(hexadecimal(key)) != std::string::npos);
    }
    BOOST_TEST(key_literal(std::string(2048, 'k')) == literal(std::string(2048, 'k')));
    BOOST_TEST(key_literal(std::string(2049, 'k')).starts_with("UNHEX(SHA2("));
}

BOOST_AUTO_TEST_CASE(where_rights_are_missing_it_finds_out_which) {
    fresh.begin(1s);
    fresh.answered(greeted(healthy()));
    handshake::step next = fresh.answered({failure_of("1142")});
    for (const char* missing : {"SELECT", "INSERT", "UPDATE", "DELETE"}) {
        BOOST_TEST(says(next, missing));
        const std::string_view name = missing;
        // That a table is locked says nothing of rights.
        next = fresh.answered({name == "SELECT"   ? failure_of("1142")
                               : name == "UPDATE" ? failure_of("1205")
                               : name == "DELETE" ? failure_of("1142")
                                                  : rows_of({{"1"}})});
    }
    BOOST_TEST((next.what == next_step::refuse));
    BOOST_TEST((next.why == errc::permission_denied));
    BOOST_TEST(next.text == "answered with the error 1142: no");
    const std::vector<std::string> missing{"GRANT SELECT ON redlock", "GRANT DELETE ON redlock"};
    BOOST_TEST(next.missing_rights == missing, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_table_that_the_user_may_not_make_is_one_of_them) {
    sql::answer::row none = healthy();
    none[5] = "0";
    fresh.begin(1s);
    fresh.answered(greeted(none));
    handshake::step next = fresh.answered({failure_of("1142")});
    for (int i = 0; i < 4; ++i)
        next = fresh.answered({failure_of("1146")}); // there is no such table
    BOOST_TEST((next.what == next_step::refuse));
    const std::vector<std::string> missing{"GRANT CREATE ON redlock"};
    BOOST_TEST(next.missing_rights == missing, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_age_that_no_server_has_is_bounded) {
    auto old = greeted(healthy());
    old[1] = rows_of({{"Uptime", "9223372036854775807"}});
    fresh.begin(1s);
    fresh.answered(old);
    BOOST_TEST((fresh.found().facts.uptime > 24h * 365));
    BOOST_TEST((fresh.found().facts.uptime <= 24h * 365 * 100));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::mariadb
