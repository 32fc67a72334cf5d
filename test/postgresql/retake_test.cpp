// A client asks anew for a key that it gave back, whose row has had another fate meanwhile.

#include "postgres_fixture.hpp"

#include <cstdint>
#include <optional>

namespace redlock::test {
namespace {

struct retake_fixture : postgres_fixture {
    retake_fixture() {
        lease left = lock(locks, "key", fenced());
        token = left.fencing_token().value();
        BOOST_TEST(!unlock(left));
    }
    void take_again() {
        lease again = lock(locks, "key", fenced());
        BOOST_TEST(again.fencing_token().value() > token);
        BOOST_TEST(!unlock(again));
    }

    client locks = make_client();
    std::uint64_t token = 0;
};

BOOST_FIXTURE_TEST_SUITE(retake_suite, retake_fixture)

BOOST_AUTO_TEST_CASE(it_is_as_it_was_left) {
    take_again();
    take_again();
    close(locks);
}

BOOST_AUTO_TEST_CASE(somebody_else_has_it) {
    client others = make_client();
    lease theirs = lock(others);
    BOOST_TEST(try_lock(locks) == errc::held);
    BOOST_TEST(!unlock(theirs));
    take_again();
    close(others);
    close(locks);
}

BOOST_AUTO_TEST_CASE(it_was_deleted) {
    database.query("DELETE FROM redlock WHERE key = 'key'");
    take_again();
    close(locks);
}

BOOST_AUTO_TEST_CASE(somebody_has_let_it_run_out) {
    database.query(
        "UPDATE redlock SET token = 'another', expires = now() - interval '1 second' WHERE key = 'key'");
    take_again();
    close(locks);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
