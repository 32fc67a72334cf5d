#include "engines/etcd/rule/key_names.hpp"

#include <boost/test/unit_test.hpp>

#include <set>
#include <string>

namespace redlock::etcd {
namespace {

BOOST_AUTO_TEST_SUITE(key_names_suite)

BOOST_AUTO_TEST_CASE(the_keys_of_a_lock_are_between_two_names_and_those_of_no_other) {
    const key_names names("locks");
    // Of all of up to three characters that may matter.
    std::set<std::string> locks;
    const std::string characters("/%0a\x01\xff");
    for (const char a : characters)
        for (const char b : characters) {
            locks.insert({a});
            locks.insert({a, b});
            for (const char c : characters)
                locks.insert({a, b, c});
        }
    for (const std::string& lock : locks) {
        const std::string from = names.queue(lock), behind = key_names::behind(from);
        for (const std::string& other : locks) {
            const std::string key = names.queue(other) + "try";
            BOOST_TEST((from <= key && key < behind) == (lock == other));
        }
        const std::string own = from + "try";
        const auto read = names.read(own);
        BOOST_REQUIRE(read);
        BOOST_TEST(read->lock == lock);
        BOOST_TEST(read->try_name == "try");
    }
}

BOOST_AUTO_TEST_CASE(graves_are_beside_the_locks) {
    const key_names names("locks");
    BOOST_TEST(names.grave("a/b", "try") == "locks-dead/a%2Fb/try");
    BOOST_TEST(!names.read(names.grave("a/b", "try")));
    BOOST_TEST(!names.read("other/lock/try"));
    BOOST_TEST(!names.read("locks/no-try"));
    BOOST_TEST(!names.read("locks/%2/try"));
    BOOST_TEST(!names.read("locks//try"));
}

BOOST_AUTO_TEST_CASE(all_that_begin_alike_are_before_one_name) {
    BOOST_TEST(key_names::behind_all("locks/") == "locks0");
    BOOST_TEST(key_names::behind_all("a\xff\xff") == "b");
    BOOST_TEST(key_names::behind_all("\xff") == std::string(1, '\0'));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::etcd
