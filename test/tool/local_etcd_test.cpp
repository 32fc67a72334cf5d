// `redlock local` with an etcd cluster.

#include "support/process_table.hpp"
#include "support/temporary_folder.hpp"
#include "tool_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <filesystem>

namespace redlock::test {
namespace {

struct local_etcd_fixture {
    bool is_empty() const { return std::filesystem::is_empty(folder.path()); }
    static program with_cluster(std::vector<std::string> words) {
        words.insert(words.begin(), {"local", "--engine", "etcd"});
        return redlock(std::move(words));
    }
    static program with_cluster_of(const std::string& members, const std::string& script) {
        return with_cluster({"--nodes", members, "--", "/bin/sh", "-c", script});
    }

    temporary_folder folder;
    environment temporary{"TMPDIR", folder.path()};
};

/// Runs etcdctl on all members.
const std::string control = "etcdctl --endpoints ${REDLOCK_NODES#etcd://} ";

BOOST_FIXTURE_TEST_SUITE(local_etcd, local_etcd_fixture)

BOOST_AUTO_TEST_CASE(a_command_gets_a_member) {
    program local = with_cluster({"--", "/bin/sh", "-c", "echo $REDLOCK_NODES; " + control + "put k v"});
    BOOST_TEST(local.line_with("etcd://127.0.0.1:").value_or(",").find(',') == std::string::npos);
    BOOST_TEST(local.says("OK"));
    BOOST_TEST(local.status() == 0);
    BOOST_TEST(is_empty());
}

BOOST_AUTO_TEST_CASE(several_members_are_one_cluster) {
    program local =
        with_cluster_of("3", control + "endpoint health; " + control + "member list | grep -c started");
    BOOST_TEST(local.says("is healthy"));
    BOOST_TEST(local.says("3"));
    BOOST_TEST(local.status() == 0);
    BOOST_TEST(is_empty());
}

BOOST_AUTO_TEST_CASE(the_folder_may_have_any_name) {
    const auto place = folder.path() / "a blank, a \"quote\" and a \\";
    std::filesystem::create_directory(place);
    const environment elsewhere("TMPDIR", place);
    program local = with_cluster_of("1", "echo begun");
    BOOST_TEST(local.says("begun"));
    BOOST_TEST(local.status() == 0);
    BOOST_TEST(std::filesystem::is_empty(place));
}

BOOST_AUTO_TEST_CASE(a_directive_is_a_line_of_its_configuration_and_a_wrong_one_is_shown) {
    program local = with_cluster({"--directive", "auto-compaction-mode: never", "--", "true"});
    BOOST_TEST(local.says("a server does not start: "));
    BOOST_TEST(local.status() == 115);
    BOOST_TEST(is_empty());
    program larger = with_cluster({"--directive", "max-request-bytes: 3000", "--", "/bin/sh", "-c",
                                   "head -c 5000 /dev/zero | tr '\\0' x | " + control + "put k 2>&1"});
    BOOST_TEST(larger.says("request is too large"));
    BOOST_TEST(larger.status() == 1);
    BOOST_TEST(is_empty());
}

BOOST_AUTO_TEST_CASE(nothing_is_left_when_it_is_killed_or_its_partner_is) {
    for (const bool partner_first : {false, true}) {
        program local = with_cluster_of("3", "echo pids $$; while :; do sleep 0.02; done");
        auto pids = numbers_in(local.line_with("pids"));
        BOOST_REQUIRE(pids.size() == 1u);
        const int partner = partner_of(local.pid());
        const auto servers = children_of(partner);
        BOOST_TEST(servers.size() == 3u);
        pids.insert(pids.end(), servers.begin(), servers.end());
        partner_first ? static_cast<void>(::kill(partner, SIGKILL)) : local.kill();
        for (const int pid : pids)
            BOOST_TEST(eventually([&] { return has_ended(pid); }));
        if (partner_first) BOOST_TEST(local.status() == 115);
        BOOST_TEST(eventually([&] { return is_empty(); }));
    }
}

BOOST_AUTO_TEST_CASE(there_are_no_more_members_than_etcd_is_good_with) {
    program local = with_cluster_of("8", "true");
    BOOST_TEST(local.says("--engine etcd starts 7 at most"));
    BOOST_TEST(local.status() == 64);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
