#include "tool/doctor/findings.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

namespace redlock::test {
namespace {

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(etcd_findings)

BOOST_AUTO_TEST_CASE(an_etcd_cluster_stands_alone_and_its_version_matters) {
    node_examination cluster;
    cluster.node = "etcd://a:2379,b:2379,c:2379/redlock";
    cluster.product = "etcd";
    cluster.median_round_trip = 300us;
    const auto of_version = [&](const std::string& version) {
        cluster.version = version;
        return tool::findings_of({cluster}, {});
    };
    for (const char* ends_leases_early : {"3.3.27", "3.4.23", "3.4.30", "3.5.0", "3.5.12", "2.3.8"}) {
        const auto all = of_version(ends_leases_early);
        BOOST_REQUIRE_EQUAL(all.size(), 1u);
        BOOST_TEST(all[0].topic == "version");
        BOOST_TEST(all[0].text.find("two clients can then have one lock") != std::string::npos);
        BOOST_TEST(!tool::is_fit(all));
    }
    for (const char* renews_what_is_revoked :
         {"3.4.31", "3.4.37", "3.5.13", "3.5.16", "3.5.22", "3.6.0", "3.6.4"}) {
        const auto all = of_version(renews_what_is_revoked);
        BOOST_REQUIRE_EQUAL(all.size(), 1u);
        BOOST_TEST(all[0].text.find("is being revoked") != std::string::npos);
        BOOST_TEST(tool::is_fit(all));
    }
    for (const char* fine :
         {"3.4.38", "3.5.23", "3.5.23+git", "3.6.5", "3.7.0", "4.0.0", "", "3", "3.x.1", "3.5."})
        BOOST_TEST(of_version(fine).empty(), fine);
    cluster.missing_rights.push_back({.needed_for = purpose::locking, .rule = "write redlock/"});
    BOOST_TEST(of_version("3.7.0").at(0).text.find("every lock needs: write redlock/.") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
