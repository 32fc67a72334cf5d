#include "engines/redis/resp/command.hpp"
#include "engines/redis/resp/command_batch.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace redlock::test {
namespace {

std::string_view append(resp::command_batch& batch, std::initializer_list<std::string_view> words) {
    return batch.append(std::span(words.begin(), words.size()));
}

std::string encoded(std::initializer_list<std::string_view> words) {
    std::string bytes;
    resp::append_command(bytes, words);
    return bytes;
}

BOOST_AUTO_TEST_SUITE(command_batch_suite)

BOOST_AUTO_TEST_CASE(commands_follow_each_other_without_a_gap) {
    resp::command_batch batch;
    const auto first = append(batch, {"SET", "key", "value"});
    const auto second = append(batch, {"GET", "key"});
    BOOST_TEST(first == encoded({"SET", "key", "value"}));
    BOOST_TEST(second == encoded({"GET", "key"}));
    BOOST_TEST((first.data() + first.size() == second.data()));
}

BOOST_AUTO_TEST_CASE(a_pattern_with_two_words_is_the_command_with_them_in_between) {
    using namespace std::string_view_literals;
    const resp::command_pattern set({"SET"}, {"NX", "PX", "30000"});
    const resp::command_pattern bare({}, {});
    const std::string long_word(70'000, 'w');
    const std::string some(99, 's');
    const std::string more(100, 'm');
    resp::command_batch batch;
    for (const std::string_view first : {""sv, "key"sv, "\r\n\0$"sv, std::string_view(some)})
        for (const std::string_view second :
             {""sv, "value"sv, std::string_view(more), std::string_view(long_word)}) {
            BOOST_TEST(
                (batch.append(set, first, second) == encoded({"SET", first, second, "NX", "PX", "30000"})));
            BOOST_TEST((batch.append(bare, first, second) == encoded({first, second})));
        }
}

BOOST_AUTO_TEST_CASE(commands_stay_where_they_are_however_many_follow) {
    resp::command_batch batch;
    std::vector<std::string_view> all;
    for (int i = 0; i < 20'000; ++i) // more than fits into one piece of memory
        all.push_back(append(batch, {"ECHO", std::to_string(i), "some more bytes of no meaning"}));
    for (std::size_t i = 0; i < all.size(); ++i)
        BOOST_REQUIRE(all[i] == encoded({"ECHO", std::to_string(i), "some more bytes of no meaning"}));
}

BOOST_AUTO_TEST_CASE(a_command_of_any_length_fits) {
    resp::command_batch batch;
    const std::string long_word(3'000'000, 'w');
    const auto before = append(batch, {"A"});
    BOOST_TEST((append(batch, {"SET", "key", long_word}) == encoded({"SET", "key", long_word})));
    BOOST_TEST(append(batch, {"B"}) == encoded({"B"}));
    BOOST_TEST(before == encoded({"A"}));
}

BOOST_AUTO_TEST_CASE(the_memory_of_a_usual_batch_is_used_again) {
    resp::command_batch batch;
    const auto first = append(batch, {"A"});
    const char* const where = first.data();
    for (int i = 0; i < 20'000; ++i)
        append(batch, {"ECHO", std::to_string(i), "some more bytes of no meaning"});
    batch.clear();
    BOOST_TEST((append(batch, {"B"}).data() == where));
    batch.clear();
    batch.clear();
    BOOST_TEST((append(batch, {"C"}).data() == where));
}

BOOST_AUTO_TEST_CASE(a_long_command_at_the_beginning_is_let_go_of) {
    resp::command_batch batch;
    batch.clear();
    append(batch, {"SET", "key", std::string(3'000'000, 'w')});
    batch.clear();
    BOOST_TEST(append(batch, {"A"}) == encoded({"A"}));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
