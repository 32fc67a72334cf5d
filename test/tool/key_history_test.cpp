#include "tool/look/key_history.hpp"

#include <boost/test/unit_test.hpp>

namespace redlock::tool {
namespace {

/// Five nodes, of which the first ones say these values; an empty one stands for a free key, the rest is
/// silent.
key_report report_of(const std::vector<std::string>& values) {
    key_report report;
    report.nodes.resize(5);
    for (std::size_t i = 0; i < report.nodes.size(); ++i) {
        if (i >= values.size())
            report.nodes[i].error = make_error_code(errc::node_timeout);
        else if (!values[i].empty())
            report.nodes[i].value = values[i];
    }
    return report;
}

key_state state_of(const std::vector<std::string>& values) { return judge(report_of(values)).state; }

BOOST_AUTO_TEST_SUITE(key_history_suite)

BOOST_AUTO_TEST_CASE(a_majority_decides) {
    BOOST_TEST((state_of({"", "", "", "", ""}) == key_state::free));
    BOOST_TEST((state_of({"a", "a", "", "", ""}) == key_state::free));
    BOOST_TEST((state_of({"a", "a", "a", "", ""}) == key_state::held));
    BOOST_TEST((state_of({"a", "a", "a"}) == key_state::held));
    BOOST_TEST((state_of({"", "", ""}) == key_state::free));
    BOOST_TEST((state_of({"a", "a", "b", "b", ""}) == key_state::split));
    BOOST_TEST((state_of({"a", "b", "c", ""}) == key_state::split));
}

BOOST_AUTO_TEST_CASE(a_double_lock_is_held_and_free_where_nodes_and_backup_say_so) {
    const auto state_with = [](const std::vector<std::string>& values, const char* backup) {
        key_report report = report_of(values);
        report.nodes.emplace_back();
        report.with_backup = true;
        if (!backup)
            report.nodes.back().error = make_error_code(errc::node_timeout);
        else if (*backup)
            report.nodes.back().value = backup;
        const verdict found = judge(report);
        BOOST_TEST(found.all == 5u);
        return found.state;
    };
    BOOST_TEST((state_with({"a", "a", "a"}, "b") == key_state::held));
    BOOST_TEST((state_with({"", "", ""}, "") == key_state::free));
    BOOST_TEST((state_with({"a", "a", "a"}, "") == key_state::split));
    BOOST_TEST((state_with({"", "", ""}, "b") == key_state::split));
    BOOST_TEST((state_with({"a", "a", "a"}, nullptr) == key_state::undecided));
    BOOST_TEST((state_with({"a", "a"}, "b") == key_state::undecided));
}

BOOST_AUTO_TEST_CASE(silent_nodes_may_decide_otherwise) {
    BOOST_TEST((state_of({}) == key_state::undecided));
    BOOST_TEST((state_of({"a", "a"}) == key_state::undecided));
    BOOST_TEST((state_of({"a", "a", "b", "b"}) == key_state::undecided));
    BOOST_TEST((state_of({"a", "", ""}) == key_state::undecided));
}

BOOST_AUTO_TEST_CASE(only_changes_are_told) {
    key_history history;
    const auto look = [&](const std::vector<std::string>& values) {
        return history.update(judge(report_of(values)), {});
    };
    BOOST_TEST(look({"", "", "", "", ""}) == "free");
    BOOST_TEST(look({"", "", "", "", ""}) == "");
    BOOST_TEST(look({"a", "a", "a", "a", "a"}) == "held by a on 5 of 5 nodes");
    BOOST_TEST(look({"a", "a", "a", "a", ""}) == "");
    BOOST_TEST(look({"a", "a", "a", "a"}) == "held by a on 4 of 5 nodes, 4 answer");
    BOOST_TEST(look({"b", "b", "b", "a"}) == "held by b on 3 of 5 nodes, handed over by a");
    BOOST_TEST(look({"", "", "", "", ""}) == "free");
    BOOST_TEST(look({"b", "b", "b", "b", "b"}) == "held by b on 5 of 5 nodes");
    BOOST_TEST(history.handoffs() == 1u);
    BOOST_TEST(look({"", "", "", "", ""}) == "free");
    BOOST_TEST(look({"c", "c", "c", "c", "c"}) == "held by c on 5 of 5 nodes");
    BOOST_TEST(history.handoffs() == 2u);
}

BOOST_AUTO_TEST_CASE(who_waits_is_told_when_it_changes) {
    key_history history;
    const auto look = [&](std::optional<std::uint64_t> waiting) {
        key_report report = report_of({"a", "a", "a", "a", "a"});
        report.waiting = waiting;
        return history.update(judge(report), {});
    };
    BOOST_TEST(look(std::nullopt) == "held by a on 5 of 5 nodes");
    BOOST_TEST(look(0) == "");
    BOOST_TEST(look(2) == "held by a on 5 of 5 nodes, 2 waiting");
    BOOST_TEST(look(2) == "");
    BOOST_TEST(look(0) == "held by a on 5 of 5 nodes, 0 waiting");
}

BOOST_AUTO_TEST_CASE(a_former_holder_cannot_steer_the_terminal) {
    key_history history;
    history.update(judge(report_of({"\x1b", "\x1b", "\x1b"})), {});
    BOOST_TEST(history.update(judge(report_of({"b", "b", "b"})), {}) ==
               R"(held by b on 3 of 5 nodes, handed over by \x1b)");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::tool
