#include "program.hpp"
#include "support/environment.hpp"
#include "support/eventually.hpp"
#include "support/process_table.hpp"
#include "support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <filesystem>
#include <sstream>

namespace redlock::test {
namespace {

/// The demo with a folder of its own for temporary files, so that what it leaves behind can be seen.
struct demo_fixture {
    bool folder_is_empty() const { return std::filesystem::is_empty(folder.path()); }

    temporary_folder folder;
    environment temporary{"TMPDIR", folder.path()};
};

/// The number in a line of the table; it stands behind a column of texts.
double number_in(const std::optional<std::string>& line) {
    double number = -1;
    std::istringstream(line ? line->substr(46) : "") >> number;
    return number;
}

BOOST_FIXTURE_TEST_SUITE(demo, demo_fixture)

BOOST_AUTO_TEST_CASE(the_demo_loses_no_update_and_stops_in_time) {
    program demo(REDLOCK_EXAMPLES "/redlock_demo", {"--quick"});
    BOOST_REQUIRE(demo.says("increment the number in"));
    BOOST_REQUIRE(demo.says("is killed"));
    BOOST_REQUIRE(demo.says("A majority is stopped"));
    BOOST_REQUIRE(demo.says("was told to stop while its lease was valid"));
    BOOST_TEST(number_in(demo.line_with("  grants")) > 0);
    BOOST_TEST(number_in(demo.line_with("lost updates")) == 0);
    BOOST_TEST(number_in(demo.line_with("from node failure to next grant")) >= 0);
    BOOST_TEST(number_in(demo.line_with("from loss of the majority to stop")) > 0);
    BOOST_TEST(number_in(demo.line_with("validity left when told to stop")) > 0);
    BOOST_TEST(demo.status() == 0);
    BOOST_TEST(folder_is_empty());
}

BOOST_AUTO_TEST_CASE(an_interrupted_demo_leaves_nothing_behind) {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        program demo(REDLOCK_EXAMPLES "/redlock_demo");
        BOOST_REQUIRE(demo.says("1 s"));
        const auto children = children_of(demo.pid());
        BOOST_TEST(children.size() == 8u);
        demo.signal(number);
        BOOST_TEST(demo.status() == 130);
        BOOST_TEST(all_gone(children));
        BOOST_TEST(folder_is_empty());
    }
}

BOOST_AUTO_TEST_CASE(a_killed_demo_takes_its_processes_along) {
    program demo(REDLOCK_EXAMPLES "/redlock_demo");
    BOOST_REQUIRE(demo.says("1 s"));
    const auto children = children_of(demo.pid());
    BOOST_TEST(children.size() == 8u);
    demo.kill();
    BOOST_TEST(eventually([&] { return all_gone(children); }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
