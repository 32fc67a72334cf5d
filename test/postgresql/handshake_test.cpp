// What is said over a new connection before the first lock.

#include "engines/sql/postgresql/session/handshake.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

namespace redlock::postgresql {
namespace {

using namespace std::chrono_literals;
using next = handshake::step::kind;

sql::answer rows(std::vector<sql::answer::row> r) { return {.rows = std::move(r)}; }

// Version, its text, recovery, timeline, process, its beginning, uptime, keeps commits, table.
sql::answer::row facts(const std::string& table = "16384") {
    return {"150018", "15.18 (Debian 15.18-0)", "0", "3", "77", "1000", "5000", "1", table};
}
std::vector<sql::answer> greeted(sql::answer::row row) { return {rows({}), rows({std::move(row)})}; }

struct handshake_fixture {
    handshake fresh{std::nullopt};
};

BOOST_FIXTURE_TEST_SUITE(handshake_suite, handshake_fixture)

BOOST_AUTO_TEST_CASE(where_all_is_there_it_prepares_and_notes_the_timeline) {
    BOOST_TEST(fresh.begin(1s).next.size() == 2u);
    const auto prepares = fresh.answered(greeted(facts()));
    BOOST_TEST((prepares.what == next::send));
    BOOST_TEST(prepares.next.front().prepares());
    BOOST_TEST((fresh.answered({rows({})}).what == next::send));
    BOOST_TEST((fresh.answered({rows({}), rows({{"0", "1500"}})}).what == next::done));
    BOOST_TEST(fresh.found().table == 16384u);
    BOOST_TEST(fresh.found().version == "15.18");
    BOOST_TEST(fresh.found().facts.timeline == 3);
    BOOST_TEST(!fresh.found().facts.first_timeline);
    BOOST_TEST((fresh.found().facts.on_timeline == 1500ms));
    BOOST_TEST((fresh.found().facts.uptime == 5s));
}

BOOST_AUTO_TEST_CASE(a_missing_table_is_made_once) {
    fresh.begin(1s);
    sql::answer::row none = facts();
    none.back() = std::nullopt;
    const auto makes = fresh.answered(greeted(none));
    BOOST_TEST((makes.what == next::send));
    BOOST_TEST(makes.next.size() == 1 + schema().size());
    BOOST_TEST(fresh.answered({rows({}), rows({}), rows({})}).next.size() == 2u);
    BOOST_TEST((fresh.answered(greeted(none)).what == next::refuse));
}

// What the table says of labels, whether the client has one, and what comes of an attempt to make room.
BOOST_AUTO_TEST_CASE(room_for_labels_is_made_where_it_is_wanted_missing_and_allowed) {
    const sql::answer fails{.rows = {}, .error_code = "55P03", .error_text = "no"};
    for (const bool wanted : {false, true})
        for (const char* told : {"0", "1", "2", "x", ""})
            for (const bool works : {false, true}) {
                handshake h(std::nullopt, wanted);
                h.begin(1s);
                sql::answer::row row = facts();
                row.insert(row.end(), {told, "1"});
                handshake::step s = h.answered(greeted(row));
                const bool makes = wanted && std::string_view(told) == "1";
                BOOST_TEST((s.next.size() == 2) == makes);
                if (makes)
                    s = h.answered(works ? std::vector{rows({}), rows({})} : std::vector{rows({}), fails});
                BOOST_TEST((s.what == next::send));
                BOOST_REQUIRE(!s.next.empty());
                BOOST_TEST(s.next.front().prepares());
                const bool has_room = std::string_view(told) == "2" || (makes && works);
                BOOST_TEST(h.found().keeps_labels == has_room);
                BOOST_TEST((s.next.front().text.find("$5") != std::string::npos) == has_room);
                BOOST_TEST(h.found().speaks_utf8);
            }
}

BOOST_AUTO_TEST_CASE(where_locks_are_sessions_there_is_no_table_and_a_restart_is_forgetful) {
    handshake h(sql::server{.version = {}, .process = 12, .began = 34}, true, true);
    h.begin(1s);
    sql::answer::row none = facts();
    none.back() = std::nullopt;
    BOOST_TEST(h.answered(greeted(none)).next.size() == 2u); // the sequence alone
    h.answered({rows({}), rows({})});
    sql::answer::row row = facts();
    row.insert(row.end(), {"1", "1"});
    const auto prepares = h.answered(greeted(row));
    BOOST_REQUIRE(!prepares.next.empty());
    BOOST_TEST(prepares.next.front().prepares());
    BOOST_TEST((h.answered({rows({})}).what == next::send)); // the end of the session before
    BOOST_TEST((h.answered({rows({{"0"}})}).what == next::done));
    BOOST_TEST(!h.found().facts.keeps_commits);
}

BOOST_AUTO_TEST_CASE(a_standby_an_old_server_and_nonsense_are_refused) {
    const auto refused = [](sql::answer::row row) {
        handshake h{std::nullopt};
        h.begin(1s);
        const auto s = h.answered(greeted(std::move(row)));
        BOOST_TEST((s.what == next::refuse));
        BOOST_TEST(!s.text.empty());
        return s.why;
    };
    sql::answer::row row = facts();
    row[2] = "1";
    BOOST_TEST((refused(row) == errc::read_only));
    row = facts();
    row[0] = "110002";
    BOOST_TEST((refused(row) == errc::unsupported));
    for (const std::string timeline : {"0", "-1", "524288", "99999999999999999999", "x"}) {
        row = facts();
        row[3] = timeline;
        BOOST_TEST((refused(row) == errc::unsupported));
    }
    BOOST_TEST((refused(facts("4294967296")) == errc::protocol_error));
    BOOST_TEST((refused({}) == errc::unsupported));
    handshake h{std::nullopt};
    h.begin(1s);
    BOOST_TEST((h.answered({}).what == next::refuse));
}

BOOST_AUTO_TEST_CASE(what_the_connection_before_had_under_way_is_ended_first) {
    handshake again{sql::server{.version = {}, .process = 12, .began = 34}};
    again.begin(1s);
    again.answered(greeted(facts()));
    again.answered({rows({})});
    BOOST_TEST((again.answered({rows({}), rows({{"1", "0"}})}).what == next::send));
    for (int i = 0; i < 10; ++i)
        BOOST_TEST((again.answered({rows({{"1"}})}).what == next::send_later));
    BOOST_TEST((again.answered({rows({{"0"}})}).what == next::done));
}

BOOST_AUTO_TEST_CASE(it_does_not_look_for_ever_and_another_user_need_not) {
    handshake again{sql::server{.version = {}, .process = 12, .began = 34}};
    again.begin(1s);
    again.answered(greeted(facts()));
    again.answered({rows({})});
    again.answered({rows({}), rows({{"1", "0"}})});
    handshake other = again;
    handshake::step s{.what = next::send_later};
    for (int i = 0; i < 1000 && s.what == next::send_later; ++i)
        s = again.answered({rows({{"1"}})});
    BOOST_TEST((s.what == next::refuse));
    BOOST_TEST(
        (other.answered({{.rows = {}, .error_code = "42501", .error_text = "no"}}).what == next::done));
}

BOOST_AUTO_TEST_CASE(errors_have_their_meaning) {
    const auto meaning = [](const char* code) {
        return meaning_of({.rows = {}, .error_code = code, .error_text = {}});
    };
    BOOST_TEST((meaning("42501") == errc::permission_denied));
    BOOST_TEST((meaning("25006") == errc::read_only));
    BOOST_TEST((meaning("57P01") == errc::node_unavailable));
    BOOST_TEST((meaning("55P03") == errc::node_timeout));
    BOOST_TEST((meaning("53100") == errc::out_of_memory));
    BOOST_TEST((meaning("42P01") == errc::server_error));
    BOOST_TEST((meaning("") == errc::server_error));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::postgresql
