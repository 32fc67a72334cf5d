#include "election_fixture.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

BOOST_FIXTURE_TEST_SUITE(election_coroutine, election_fixture)

asio::awaitable<void> lead_and_be_seen(client& locks, client& watches, bool& done) {
    leadership leads = co_await locks.async_campaign("key", "here");
    leader_info seen = co_await watches.async_observe("key");
    BOOST_TEST(seen.value == "here");
    co_await leads.async_proclaim("there");
    seen = co_await watches.async_observe("key", seen.mark);
    BOOST_TEST(seen.value == "there");
    co_await leads.async_unlock();
    const auto [ec, last] = co_await watches.async_observe("key", seen.mark, asio::as_tuple(asio::deferred));
    BOOST_TEST((!ec && !last.present));
    done = true;
}

BOOST_AUTO_TEST_CASE(coroutines_lead_and_observe) {
    bool done = false;
    asio::co_spawn(context, lead_and_be_seen(first, observer, done), asio::detached);
    BOOST_TEST(run_until([&] { return done; }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
