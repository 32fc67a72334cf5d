#define BOOST_TEST_MODULE distance
#define BOOST_TEST_NO_MAIN
#include "support/distant_network.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdio>
#include <string_view>
#include <vector>

namespace {

constexpr int skipped = 77;

bool network_can_be_made() {
    try {
        redlock::test::distant_network probe(std::vector<redlock::test::distance>(1));
        return true;
    } catch (const redlock::test::no_network& e) {
        std::printf("Skipped, for no network of its own can be made here: %s\n", e.what());
        return false;
    }
}

} // namespace

int main(int count, char** words) {
    const bool only_lists = count > 1 && std::string_view(words[1]) == "--list_content";
    if (!only_lists && !network_can_be_made()) return skipped;
    return boost::unit_test::unit_test_main(init_unit_test, count, words);
}
