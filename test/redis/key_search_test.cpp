// Which keys are those of locks.

#include "engines/redis/examine/key_search.hpp"
#include "support/any_token.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace redlock;
using redlock::redis::key_search;

namespace {

const std::string some_token{test::any_token().text()};

} // namespace

BOOST_AUTO_TEST_SUITE(search_of_keys)

BOOST_AUTO_TEST_CASE(a_key_with_a_token_is_that_of_a_lock) {
    key_search all("app:", 10);
    for (const char* const name : {"app:a", "app:b", "app:c", "app:d"})
        BOOST_TEST(all.is_candidate(name));
    all.has("app:a", some_token);
    all.has("app:b", some_token + ":17:label");
    all.has("app:c", "somebody else's");
    all.has("app:d", "");
    all.has("app:a", some_token);
    const key_list found = std::move(all).result();
    BOOST_TEST(found.keys == (std::vector<std::string>{"app:a", "app:b"}), boost::test_tools::per_element());
    BOOST_TEST(!found.more);
}

BOOST_AUTO_TEST_CASE(so_is_one_beside_which_somebody_reads_or_waits) {
    key_search all("", 10);
    BOOST_TEST(!all.is_candidate("a:redlock-readers"));
    BOOST_TEST(!all.is_candidate("b:redlock-queue"));
    // These stay for longer than anybody wants the lock.
    BOOST_TEST(!all.is_candidate("c:redlock-fence"));
    BOOST_TEST(!all.is_candidate("d:redlock-leader"));
    BOOST_TEST(std::move(all).result().keys == (std::vector<std::string>{"a", "b"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_begins_in_another_way_is_not) {
    key_search all("app:", 10);
    BOOST_TEST(!all.is_candidate("other"));
    BOOST_TEST(!all.is_candidate("ap:redlock-readers"));
    all.has("other", some_token);
    BOOST_TEST(std::move(all).result().keys.empty());
}

BOOST_AUTO_TEST_CASE(no_more_than_are_wanted_are_found) {
    key_search two("", 2);
    for (const char* const name : {"a", "b"})
        two.has(name, some_token);
    BOOST_TEST(two.is_full());
    two.has("b", some_token);
    key_search same = two;
    BOOST_TEST(!std::move(same).result().more);
    two.has("c", some_token);
    const key_list found = std::move(two).result();
    BOOST_TEST(found.keys.size() == 2u);
    BOOST_TEST(found.more);
}

BOOST_AUTO_TEST_CASE(a_node_that_has_too_many_may_have_more) {
    key_search some("", 2);
    some.gave_up();
    BOOST_TEST(std::move(some).result().more);
}

BOOST_AUTO_TEST_CASE(a_beginning_stands_for_itself_in_a_pattern) {
    BOOST_TEST(key_search("app:", 1).pattern() == "app:*");
    BOOST_TEST(key_search("", 1).pattern() == "*");
    BOOST_TEST(key_search("a*b?[c]\\", 1).pattern() == "a\\*b\\?\\[c\\]\\\\*");
}

BOOST_AUTO_TEST_SUITE_END()
