#include "engines/redis/node/address.hpp"
#include "network/tls/tls_stream.hpp"
#include "network/transport/encryption.hpp"
#include "tls/stream_user.hpp"
#include "tls/tls_nodes.hpp"

#include <boost/asio/strand.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

// A node that is connected to again is greeted in a shorter way, if the server likes.

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;

struct resumption_fixture : event_loop {
    redis_server server;
    network::io_source::strand strand =
        boost::asio::make_strand(boost::asio::any_io_executor(context.get_executor()));
    std::shared_ptr<network::encryption> cover = network::make_encryption(trusting_nodes());

    explicit resumption_fixture(redis_options options, const char* version)
        : server(speaking(version, std::move(options))) {}

    /// Connects and asks something; whether the server knew us.
    bool is_resumed() {
        const network::destination to = node::parse_address(server.uri()).where();
        const auto user = std::make_shared<stream_user>();
        user->stream = cover->cover(strand, network::real_io().make_stream(strand), to);
        user->stream->async_connect(to, 0, user);
        BOOST_REQUIRE(run_until([&] { return !user->connects.empty(); }));
        BOOST_REQUIRE(!user->connects[0]);
        error_code ec;
        user->stream->write_some("PING\r\n", ec);
        BOOST_REQUIRE(run_until([&] { return user->heard == "+PONG\r\n"; }));
        const bool resumed = dynamic_cast<network::tls_stream&>(*user->stream).was_resumed();
        user->stream->close();
        BOOST_REQUIRE(run_until([&] { return !user->ends.empty(); }));
        user->stream.reset();
        return resumed;
    }
};

BOOST_AUTO_TEST_SUITE(tls_resumption_suite)

BOOST_DATA_TEST_CASE(a_server_knows_who_comes_again, data::make(both_protocols), version) {
    resumption_fixture f(with_tls(), version);
    BOOST_TEST(!f.is_resumed());
    BOOST_TEST(f.is_resumed());
    BOOST_TEST(f.is_resumed());
    f.server.restart();
    BOOST_TEST(!f.is_resumed());
    BOOST_TEST(f.is_resumed());
}

BOOST_DATA_TEST_CASE(a_server_that_keeps_nothing_is_connected_to_all_the_same, data::make(both_protocols),
                     version) {
    redis_options options = with_tls();
    options.directives = {"tls-session-caching no"};
    resumption_fixture f(options, version);
    f.is_resumed();
    f.is_resumed();
}

BOOST_AUTO_TEST_CASE(a_client_of_its_own_has_no_part_in_it) {
    resumption_fixture f(with_tls(), both_protocols[1]);
    BOOST_TEST(!f.is_resumed());
    f.cover = network::make_encryption(trusting_nodes());
    BOOST_TEST(!f.is_resumed());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
