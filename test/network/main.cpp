#define BOOST_TEST_MODULE network
#include "network/own_network.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdio>
#include <cstdlib>

namespace redlock::test {
namespace {

/// Before the first test, and not when the tests are only listed.
struct in_own_network {
    in_own_network() {
        const auto missing = enter_own_network();
        if (!missing) return;
        std::printf("SKIPPED: these tests want a network of their own, which is not to be had: %s\n",
                    missing->c_str());
        std::fflush(stdout);
        std::_Exit(77);
    }
};

BOOST_TEST_GLOBAL_FIXTURE(in_own_network);

} // namespace
} // namespace redlock::test
