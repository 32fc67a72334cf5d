#include "etcd_line/line_fixture.hpp"

namespace redlock::test {

namespace {

struct call_fixture : member_fixture, line_fixture {
    call_fixture() : line_fixture(to_ports({server.port()})) { BOOST_TEST_REQUIRE(loop.serves()); }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(call_suite, call_fixture)

BOOST_AUTO_TEST_CASE(what_is_put_is_found) {
    const auto before = time::lease_clock::now();
    const result_pointer put_result = ask(etcd::methods::put, put("key", "value"));
    BOOST_TEST_REQUIRE(ends(put_result));
    BOOST_TEST_REQUIRE(put_result->response.has_value());
    BOOST_TEST((put_result->sent_at >= before && put_result->sent_at <= time::lease_clock::now()));
    const auto found = range("key").content.found;
    BOOST_TEST_REQUIRE(found.size() == 1u);
    BOOST_TEST(found.front().value == "value");
    BOOST_TEST(loop.line().calls() == 2u);
    BOOST_TEST(loop.line().round_trip().count() > 0);
}

BOOST_AUTO_TEST_CASE(a_transaction_decides) {
    messages::transaction_request once{
        .when = {{.key = "key", .what = messages::comparison::target::created, .number = 0}},
        .then = {{messages::put_request{.key = "key", .value = "first"}}}};
    const auto first = decoded<messages::transaction_result>(answer(etcd::methods::txn, encoded(once)));
    const auto second = decoded<messages::transaction_result>(answer(etcd::methods::txn, encoded(once)));
    BOOST_TEST(first.content.succeeded);
    BOOST_TEST(!second.content.succeeded);
}

BOOST_AUTO_TEST_CASE(a_thousand_calls_leave_in_one_write_and_are_all_answered) {
    std::vector<result_pointer> all;
    const std::size_t flushes = loop.flushes;
    loop.turn([&] {
        for (int i = 0; i < 1000; ++i) {
            all.push_back(std::make_shared<call_result>());
            loop.line().submit(
                *new asked_call(etcd::methods::put, put("key" + std::to_string(i)), all.back()));
        }
        BOOST_TEST(loop.line().has_several());
    });
    BOOST_TEST(loop.flushes == flushes + 1);
    BOOST_TEST(loop.line().is_busy());
    for (const result_pointer& each : all)
        BOOST_TEST_REQUIRE((ends(each) && each->response.has_value()));
    BOOST_TEST(!loop.line().is_busy());
    BOOST_TEST(range("key999").content.found.size() == 1u);
}

BOOST_AUTO_TEST_CASE(what_the_server_refuses_is_told_with_its_words) {
    const etcd::failure empty_key = refusal(ask(etcd::methods::put, {}));
    BOOST_TEST((empty_key.why == errc::protocol_error));
    BOOST_TEST((empty_key.status == etcd::status_code::invalid_argument));
    BOOST_TEST(!empty_key.in_doubt);
    BOOST_TEST(empty_key.text ==
               "answered with an error: etcdserver: key is not provided (status 3 of gRPC)");
    const etcd::failure no_lease =
        refusal(ask(etcd::methods::lease_revoke, encoded(messages::lease_revoke_request{.id = 4711})));
    BOOST_TEST((no_lease.status == etcd::status_code::not_found));
    BOOST_TEST((no_lease.why == errc::server_error));
    static constexpr etcd::method unknown{"/etcdserverpb.KV/Juggle"};
    const etcd::failure no_method = refusal(ask(unknown, {}));
    BOOST_TEST((no_method.status == etcd::status_code::unimplemented));
    BOOST_TEST((no_method.why == errc::protocol_error));
}

BOOST_AUTO_TEST_CASE(a_request_that_is_too_long_is_refused_and_others_go_on) {
    const etcd::failure f = refusal(ask(etcd::methods::put, put("key", std::string(3'000'000, 'x'))));
    BOOST_TEST((f.status == etcd::status_code::resource_exhausted ||
                f.status == etcd::status_code::invalid_argument));
    BOOST_TEST(range("key").content.found.empty());
    BOOST_TEST(loop.losses.empty());
}

BOOST_AUTO_TEST_CASE(a_large_answer_arrives_whole) {
    const std::string large(1'000'000, 'x');
    for (const char* key : {"key1", "key2", "key3"})
        answer(etcd::methods::put, put(key, large));
    std::string all =
        answer(etcd::methods::range, encoded(messages::range_request{.key = "key", .range_end = "kez"}));
    BOOST_TEST(all.size() > 3'000'000u);
}

BOOST_AUTO_TEST_CASE(an_answer_of_more_than_4_MiB_ends_the_connection) {
    const std::string large(1'000'000, 'x');
    for (const char* key : {"key1", "key2", "key3", "key4", "key5"})
        answer(etcd::methods::put, put(key, large));
    const etcd::failure f = refusal(
        ask(etcd::methods::range, encoded(messages::range_request{.key = "key", .range_end = "kez"})));
    BOOST_TEST((f.why == errc::protocol_error));
    BOOST_TEST(f.text == "sent a message of more than 4 MiB");
    BOOST_TEST_REQUIRE(loop.losses.size() == 1u);
    BOOST_TEST_REQUIRE(loop.run_until([&] { return loop.line().serves(); }));
    BOOST_TEST(range("nothing").content.found.empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
