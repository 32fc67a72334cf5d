// What is told of a double lock, and its settings.

#include "pair_fixture.hpp"

#include <string_view>

namespace redlock::test {
namespace {

struct pair_question_test_fixture : pair_fixture {
    template <class Report>
    Report answer(outcome<Report>& to) {
        complete(to);
        if (to.error()) throw boost::system::system_error(to.error());
        return std::move(to.value());
    }
    break_report break_lock(const key_report& shown) {
        outcome<break_report> result;
        locks.async_break(shown, result.handler());
        return answer(result);
    }

    client locks = make_client();
};

BOOST_FIXTURE_TEST_SUITE(pair_questions, pair_question_test_fixture)

BOOST_AUTO_TEST_CASE(an_inspection_shows_the_nodes_and_behind_them_the_backup) {
    lease held = lock(locks, "key", fenced());
    const key_report report = inspect(locks);
    BOOST_REQUIRE(report.nodes.size() == 4u);
    for (std::size_t i = 0; i < 3; ++i)
        BOOST_TEST((report.nodes[i].value == report.holder));
    BOOST_TEST(report.nodes[3].node.starts_with("postgresql://"));
    BOOST_TEST(report.nodes[3].value.has_value());
    BOOST_TEST(report.nodes[3].fence.value() == held.fencing_token().value());
    BOOST_TEST(!unlock(held));
    BOOST_TEST(!inspect(locks).holder.has_value());
}

BOOST_AUTO_TEST_CASE(a_key_that_is_on_one_of_the_two_has_a_holder_too) {
    client in_database(context.get_executor(), database_alone());
    lease held = lock(in_database);
    const key_report report = inspect(locks);
    BOOST_TEST(report.holder.has_value());
    BOOST_TEST(!report.nodes[0].value.has_value());
    const break_report broken = break_lock(report);
    BOOST_TEST(broken.removed == 1u);
    BOOST_TEST((broken.nodes.at(0).outcome == removal::nothing_shown));
    BOOST_TEST((broken.nodes.at(3).outcome == removal::removed));
    BOOST_TEST(becomes_free());
}

BOOST_AUTO_TEST_CASE(a_broken_lock_is_gone_from_both) {
    lease held = lock(locks, "key", patiently(1s));
    const break_report broken = break_lock(inspect(locks));
    BOOST_TEST(broken.removed == 4u);
    BOOST_TEST(broken.nodes.size() == 4u);
    BOOST_TEST(becomes_free());
    BOOST_TEST(run_until([&] { return held.stop_token().stop_requested(); }));
}

BOOST_AUTO_TEST_CASE(a_report_of_others_breaks_nothing) {
    lease held = lock(locks);
    key_report shown = inspect(locks);
    shown.nodes.pop_back();
    outcome<break_report> result;
    locks.async_break(shown, result.handler());
    complete(result);
    BOOST_TEST(result.error() == errc::invalid_option);
    BOOST_TEST(held_rows() == "1");
}

BOOST_AUTO_TEST_CASE(keys_of_either_are_listed_once) {
    client in_database(context.get_executor(), database_alone());
    client on_nodes(context.get_executor(), nodes_alone());
    lease both = lock(locks, "b"), one = lock(in_database, "a"), another = lock(on_nodes, "c");
    outcome<key_list> found;
    locks.async_list("", found.handler());
    const key_list list = answer(found);
    const std::vector<std::string> expected{"a", "b", "c"};
    BOOST_TEST(list.keys == expected, boost::test_tools::per_element());
    BOOST_TEST(!list.more);
}

BOOST_AUTO_TEST_CASE(all_nodes_are_examined_and_measured) {
    lease held = lock(locks);
    outcome<std::vector<node_examination>> result;
    locks.async_examine(result.handler());
    const auto found = answer(result);
    BOOST_REQUIRE(found.size() == 4u);
    BOOST_TEST(found[0].product == "redis");
    BOOST_TEST(found[3].product == "postgresql");
    const metrics_snapshot metrics = locks.metrics();
    BOOST_REQUIRE(metrics.nodes.size() == 4u);
    BOOST_TEST(metrics.nodes[3].node == found[3].node);
    for (const node_metrics& node : metrics.nodes)
        BOOST_TEST(node.state == "ready");
    BOOST_TEST(metrics.grants == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(pair_settings)

error_code refusal_of(std::vector<std::string> nodes, const std::string& backup, std::string_view says) {
    boost::asio::io_context context;
    config c;
    c.nodes = std::move(nodes);
    c.backup = backup;
    try {
        client refused(context.get_executor(), c);
    } catch (const std::system_error& error) {
        const std::string what = error.what();
        BOOST_TEST(what.find(says) != what.npos, what);
        BOOST_TEST(what.find("secret") == what.npos, what);
        return error.code();
    }
    return {};
}

BOOST_AUTO_TEST_CASE(a_backup_is_of_another_kind) {
    constexpr std::string_view field = "config::backup must name another engine than config::nodes";
    BOOST_TEST(refusal_of({"redis://h"}, "redis://:secret@other", field) == errc::invalid_option);
    BOOST_TEST(refusal_of({"redis://h"}, "redis+cluster://other", field) == errc::invalid_option);
    BOOST_TEST(refusal_of({"postgresql://h"}, "postgres://u:secret@other", field) == errc::invalid_option);
    BOOST_TEST(refusal_of({"memory://same"}, "memory://same", field) == errc::invalid_option);
    BOOST_TEST(!refusal_of({"memory://one"}, "memory://another", ""));
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_it_is_said_of_the_backup) {
    BOOST_TEST(refusal_of({"redis://h"}, "postgresql://u:secret@h:0/d", "config::backup: ") ==
               errc::invalid_uri);
    BOOST_TEST(refusal_of({"redis://h"}, "memory://a/b", "config::backup: ") == errc::invalid_uri);
    BOOST_TEST(refusal_of({"memory://a"}, "redis://:secret@h:x", "config::backup: ") == errc::invalid_uri);
    BOOST_TEST(refusal_of({"redis://:secret@h:x"}, "memory://a", "config::nodes[0]: ") == errc::invalid_uri);
    BOOST_TEST(refusal_of({}, "memory://a", "config::nodes") == errc::invalid_option);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
