// Transactions of many parts, and what is read of their answers.

#include "engines/etcd/messages/joint_transaction.hpp"
#include "wire_bytes.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace redlock::etcd::messages {
namespace {

std::string joined(const std::string& one, const std::string& two) {
    std::string request;
    append_operation(request, operation_kind::removal, one);
    append_operation(request, operation_kind::transaction, two);
    return request;
}

fault read(const std::string& bytes, std::vector<std::string>& into, std::size_t count = 2) {
    return read_operations(bytes, count, into);
}

// A header of revision 300, and two results with headers of revision 5.
const std::string whole =
    wire("0a 03 18 ac 02 10 01 1a 08 1a 06 0a 02 18 05 10 01 1a 08 22 06 0a 02 18 05 10 01");

BOOST_AUTO_TEST_SUITE(joint_transactions)

BOOST_AUTO_TEST_CASE(a_request_has_each_part_as_an_operation) {
    const delete_request removal{.key = "k"};
    const transaction_request inner{.then = {{range_request{.key = "l"}}}};
    const transaction_request same{.then = {{removal}, {inner}}};
    BOOST_TEST(joined(encoded(removal), encoded(inner)) == encoded(same));
}

BOOST_AUTO_TEST_CASE(an_answer_has_what_each_part_says_and_the_header_of_the_whole) {
    std::vector<std::string> found;
    BOOST_REQUIRE((read(whole, found) == fault::none));
    BOOST_REQUIRE(found.size() == 2u);
    reply<transaction_result> second;
    BOOST_REQUIRE((messages::read(found[1], second) == fault::none));
    BOOST_TEST(second.content.succeeded);
    BOOST_TEST(second.header.revision == 300);
    reply<delete_result> first;
    BOOST_REQUIRE((messages::read(found[0], first) == fault::none));
    BOOST_TEST(first.header.revision == 300);
}

BOOST_AUTO_TEST_CASE(every_answer_that_ends_too_early_is_refused) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
        std::vector<std::string> found;
        BOOST_TEST((read(whole.substr(0, size), found) == fault::malformed), "of " << size << " bytes");
        BOOST_TEST(found.empty());
    }
}

BOOST_AUTO_TEST_CASE(as_many_answers_are_read_as_were_asked_for) {
    std::vector<std::string> found;
    BOOST_TEST((read(whole, found, 3) == fault::malformed));
    BOOST_TEST((read(whole, found, 1) == fault::too_many_elements));
    BOOST_TEST(found.empty());
}

BOOST_AUTO_TEST_CASE(one_that_was_not_carried_out_has_no_answers) {
    std::vector<std::string> found;
    BOOST_TEST((read(wire("0a 03 18 ac 02 1a 02 1a 00 1a 02 22 00"), found) == fault::malformed));
    BOOST_TEST(found.empty());
}

BOOST_AUTO_TEST_CASE(fields_that_are_not_known_are_passed_over) {
    std::vector<std::string> found;
    BOOST_TEST((read(whole + wire("78 01 7a 01 'x'"), found) == fault::none));
    BOOST_TEST((read(wire("0a 00 10 01 1a 02 08 01 1a 02 22 00"), found) == fault::none));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::etcd::messages
