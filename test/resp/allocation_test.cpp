#include "engines/redis/resp/command.hpp"
#include "resp/allocation_count.hpp"
#include "resp/feeding.hpp"
#include "resp/sample.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace redlock::test {
namespace {

std::size_t visit(const resp::reply& reply) {
    std::size_t seen = 1;
    for (auto child = reply.first(); !child.end(); child = child.next())
        seen += visit(child);
    return seen;
}

BOOST_AUTO_TEST_SUITE(allocation_suite)

BOOST_AUTO_TEST_CASE(reading_and_visiting_replies_allocates_nothing) {
    resp::reader reader;
    resp::reply reply;
    std::size_t messages = 0, values = 0;
    const auto before = allocation_count();
    for (int i = 0; i < 1000; ++i) {
        const auto space = reader.prepare();
        std::copy(sample.begin(), sample.end(), space.begin());
        reader.commit(sample.size());
        while (reader.next(reply) == resp::read_status::complete) {
            ++messages;
            values += visit(reply);
        }
    }
    BOOST_TEST(allocation_count() - before == 0U);
    BOOST_TEST(messages == 1000U);
    BOOST_TEST(values == 1000U * 27U);
}

BOOST_AUTO_TEST_CASE(a_fault_is_described_without_allocating) {
    resp::reader reader;
    resp::reply reply;
    const auto before = allocation_count();
    reader.prepare()[0] = 'H';
    reader.commit(1);
    BOOST_CHECK(reader.next(reply) == resp::read_status::malformed);
    reader.reset();
    const auto after = allocation_count();
    BOOST_TEST(after - before == 0U);
}

BOOST_AUTO_TEST_CASE(encoding_into_a_string_with_room_allocates_nothing) {
    std::string out;
    out.reserve(100'000);
    const std::string key(100, 'k');
    const auto before = allocation_count();
    for (int i = 0; i < 500; ++i)
        resp::append_command(out, {"PEXPIRE", key, resp::decimal(i)});
    BOOST_TEST(allocation_count() - before == 0U);
    BOOST_TEST(out.size() > 50'000U);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
