#include "etcd_line/http2_peer.hpp"
#include "etcd_line/line_fixture.hpp"

#include <boost/test/data/test_case.hpp>

namespace redlock::test {

using namespace std::string_literals;

namespace {

constexpr std::chrono::milliseconds peer_patience{700};

/// A line to a peer with a script.
struct hostile_fixture {
    explicit hostile_fixture(http2_peer::script s)
        : peer(std::move(s)), line(to_ports({peer.port()}, peer_patience)) {}

    result_pointer ask() {
        BOOST_TEST_REQUIRE(line.loop.serves());
        return line.ask(etcd::methods::put, "request");
    }
    etcd::failure refusal() { return line.refusal(ask()); }
    line_loop::loss first_loss() {
        line.loop.start();
        BOOST_TEST_REQUIRE(line.loop.run_until([&] { return !line.loop.losses.empty(); }));
        return line.loop.losses[0];
    }

    http2_peer peer;
    line_fixture line;
};

using answerer = std::function<std::string(std::uint32_t)>;
http2_peer::script answering(answerer how) { return {.answer = std::move(how)}; }

std::string goaway(std::uint32_t last, std::uint32_t error, std::string_view words = {}) {
    return frame(frame_kind::goaway, 0, 0, number(last) + number(error) + std::string(words));
}

} // namespace

BOOST_AUTO_TEST_SUITE(hostile_suite)

BOOST_AUTO_TEST_CASE(an_answer_is_taken) {
    hostile_fixture f(answering([](std::uint32_t id) { return whole_answer(id, "content"); }));
    const result_pointer r = f.ask();
    BOOST_TEST_REQUIRE(f.line.ends(r));
    BOOST_TEST(r->response.value() == "content");
    BOOST_TEST(f.peer.acknowledgements(frame_kind::settings) == 1u);
}

struct foreign {
    const char* greeting;
    errc why;
    const char* text;
};
const foreign all_foreign[] = {
    {"HTTP/1.1 400 Bad Request\r\n\r\n", errc::protocol_error,
     "answers in HTTP/1, not in HTTP/2: it is no etcd for clients"},
    {"\x15\x03\x01 and more", errc::protocol_error, "answers in TLS, which takes an address with etcds://"},
    {"-ERR unknown command\r\n", errc::protocol_error, "does not keep to HTTP/2"},
    {"SSH-2.0-OpenSSH_9.2\r\nand more of that\r\n", errc::protocol_error, "does not keep to HTTP/2"},
};

BOOST_AUTO_TEST_CASE(who_does_not_speak_http2_is_told_of) {
    for (const foreign& each : all_foreign)
        BOOST_TEST_CONTEXT(each.greeting) {
            hostile_fixture f({.greeting = each.greeting});
            const auto loss = f.first_loss();
            BOOST_TEST((loss.why == each.why));
            BOOST_TEST(loss.text.starts_with(each.text), loss.text);
            BOOST_TEST(loss.text.size() < 200u);
        }
}

BOOST_AUTO_TEST_CASE(who_says_nothing_is_left) {
    hostile_fixture f({.greeting = {}});
    const auto loss = f.first_loss();
    BOOST_TEST((loss.why == errc::node_timeout));
    BOOST_TEST(loss.text == "did not answer within 1000 ms");
}

struct breach {
    const char* name;
    answerer how;
    const char* text; ///< the beginning of what is said of it
};
const breach all_breaches[] = {
    {"a frame that is too long",
     [](std::uint32_t id) { return "\xff\xff\xff\0\0"s + number(id) + std::string(1000, 'x'); },
     "does not keep to HTTP/2"},
    {"data before fields",
     [](std::uint32_t id) { return frame(frame_kind::data, 0, id, message("content")); },
     "does not keep to HTTP/2"},
    {"a stream that nobody opened", [](std::uint32_t) { return whole_answer(4711, "content"); },
     "does not keep to HTTP/2"},
    {"a push",
     [](std::uint32_t id) {
         return frame(frame_kind::push, ends_headers, id, number(2) + field(":method", "GET"));
     },
     "does not keep to HTTP/2"},
    {"fields without end",
     [](std::uint32_t id) {
         std::string all = frame(frame_kind::headers, 0, id, field(":status", "200"));
         for (int i = 0; i < 3; ++i)
             all += frame(frame_kind::continuation, 0, id, field("x", std::string(8'000, 'x')));
         return all;
     },
     "sent more than 16 KiB of header fields"},
    {"many small fields",
     [](std::uint32_t id) {
         std::string all = field(":status", "200");
         for (int i = 0; i < 1'000; ++i)
             all += field("x", "y");
         return frame(frame_kind::headers, ends_headers, id, all);
     },
     "sent more than 16 KiB of header fields"},
    {"fields that are no code",
     [](std::uint32_t id) { return frame(frame_kind::headers, ends_headers, id, "\xff\xff\xff\xff\xff"); },
     "does not keep to HTTP/2"},
    {"a compressed message",
     [](std::uint32_t id) { return head(id) + frame(frame_kind::data, 0, id, message("x", 1, true)); },
     "sent a compressed message, which was not asked for"},
    {"a message that is too long",
     [](std::uint32_t id) { return head(id) + frame(frame_kind::data, 0, id, message("x", 0xffffffff)); },
     "sent a message of more than 4 MiB"},
    {"two messages",
     [](std::uint32_t id) {
         return head(id) + frame(frame_kind::data, 0, id, message("one") + message("two"));
     },
     "answered a call twice"},
    {"the end with an error", [](std::uint32_t id) { return goaway(id, 11, "too_many_pings \x1b[31m\""); },
     "ends the connection with ENHANCE_YOUR_CALM: too_many_pings \\x1b[31m\\\""},
};

BOOST_AUTO_TEST_CASE(what_breaks_the_protocol_ends_the_connection) {
    for (const breach& each : all_breaches)
        BOOST_TEST_CONTEXT(each.name) {
            hostile_fixture f(answering(each.how));
            const etcd::failure why = f.refusal();
            BOOST_TEST(why.text.starts_with(each.text), why.text);
            BOOST_TEST(why.in_doubt);
            BOOST_TEST_REQUIRE(f.line.loop.losses.size() == 1u);
            BOOST_TEST(f.line.loop.losses[0].text == why.text);
            // It is not given up for good.
            BOOST_TEST(f.line.loop.run_until([&] { return f.line.loop.line().serves(); }));
        }
}

const breach all_bad_answers[] = {
    {"a length that lies",
     [](std::uint32_t id) {
         return head(id) + frame(frame_kind::data, 0, id, message("short", 100)) + trailers(id, "0");
     },
     "answered a call without a message"},
    {"no message", [](std::uint32_t id) { return head(id) + trailers(id, "0"); },
     "answered a call without a message"},
    {"no status",
     [](std::uint32_t id) { return head(id) + frame(frame_kind::data, ends_stream, id, message("x")); },
     "ended an answer without a status"},
    {"a page",
     [](std::uint32_t id) {
         return frame(frame_kind::headers, ends_headers | ends_stream, id, field(":status", "404"));
     },
     "answered with status 404 of HTTP"},
    {"fields that are not allowed",
     [](std::uint32_t id) {
         return frame(frame_kind::headers, ends_headers, id, field(":status", "200") + field("Upper", "x"));
     },
     "does not keep to HTTP/2 in an answer"},
    {"an error with escapes",
     [](std::uint32_t id) {
         return frame(frame_kind::headers, ends_headers | ends_stream, id,
                      field(":status", "200") + field("content-type", "application/grpc") +
                          field("grpc-status", "13") + field("grpc-message", "%1B]0;title%07"));
     },
     "answered with an error: \\x1b]0;title\\x07 (status 13 of gRPC)"},
    {"a reset", [](std::uint32_t id) { return frame(frame_kind::reset, 0, id, number(8)); },
     "broke off an answer"},
};

BOOST_AUTO_TEST_CASE(what_is_wrong_with_one_answer_is_that_calls_matter_alone) {
    for (const breach& each : all_bad_answers)
        BOOST_TEST_CONTEXT(each.name) {
            hostile_fixture f(answering(
                [&](std::uint32_t id) { return id == 1 ? each.how(id) : whole_answer(id, "content"); }));
            const etcd::failure why = f.refusal();
            BOOST_TEST(why.text == each.text);
            const result_pointer next = f.ask();
            BOOST_TEST_REQUIRE(f.line.ends(next));
            BOOST_TEST(next->response.has_value());
            BOOST_TEST(f.line.loop.losses.empty());
        }
}

BOOST_AUTO_TEST_CASE(what_was_refused_is_asked_again_a_few_times) {
    hostile_fixture twice(answering([](std::uint32_t id) {
        return id < 5 ? frame(frame_kind::reset, 0, id, number(7)) : whole_answer(id, "content");
    }));
    const result_pointer r = twice.ask();
    BOOST_TEST_REQUIRE(twice.line.ends(r));
    BOOST_TEST(r->response.has_value());
    hostile_fixture always(
        answering([](std::uint32_t id) { return frame(frame_kind::reset, 0, id, number(7)); }));
    const etcd::failure why = always.refusal();
    BOOST_TEST((why.why == errc::node_unavailable));
    BOOST_TEST(!why.in_doubt);
}

BOOST_AUTO_TEST_CASE(who_ends_in_order_answers_first_and_the_rest_goes_elsewhere) {
    http2_peer good(answering([](std::uint32_t id) { return whole_answer(id, "elsewhere"); }));
    http2_peer leaving(answering([](std::uint32_t id) {
        return id == 1 ? std::string() : goaway(1, 0) + whole_answer(1, "content");
    }));
    line_fixture l(to_ports({leaving.port(), good.port()}));
    BOOST_TEST_REQUIRE(l.loop.serves());
    heard_stream watches(etcd::methods::watch, l.loop.line());
    const result_pointer first = l.ask(etcd::methods::put, "first");
    l.loop.turn([&] { watches.open(); });
    const result_pointer second = l.ask(etcd::methods::put, "second");
    BOOST_TEST_REQUIRE((l.ends(first) && l.ends(second)));
    BOOST_TEST(first->response.value() == "content");
    BOOST_TEST(second->response.value() == "elsewhere");
    BOOST_TEST(watches.end.has_value());
    BOOST_TEST_REQUIRE(l.loop.losses.size() == 1u);
    BOOST_TEST(l.loop.losses[0].text == "closes the connection");
}

BOOST_AUTO_TEST_CASE(no_more_calls_are_under_way_than_the_server_takes) {
    const std::string one_stream = settings("\0\3"s + number(1));
    std::uint32_t before = 0;
    hostile_fixture f({.greeting = one_stream, .answer = [&](std::uint32_t id) {
                           const bool in_turn = id == before + 2 || before == 0;
                           before = id;
                           return in_turn ? whole_answer(id, std::to_string(id)) : std::string();
                       }});
    BOOST_TEST_REQUIRE(f.line.loop.serves());
    std::vector<result_pointer> all;
    f.line.loop.turn([&] {
        for (int i = 0; i < 20; ++i) {
            all.push_back(std::make_shared<call_result>());
            f.line.loop.line().submit(*new asked_call(etcd::methods::put, "request", all.back()));
        }
    });
    BOOST_TEST_REQUIRE(f.line.ends(all.back()));
    for (int i = 0; i < 20; ++i)
        BOOST_TEST(all[static_cast<std::size_t>(i)]->response.value() == std::to_string(2 * i + 1));
}

BOOST_AUTO_TEST_CASE(what_waits_for_its_turn_keeps_its_deadline) {
    hostile_fixture f({.greeting = settings("\0\3"s + number(1))});
    const result_pointer sent = f.ask();
    const result_pointer waiting = f.line.ask(etcd::methods::put, "request", 50ms);
    const etcd::failure why = f.line.refusal(waiting);
    BOOST_TEST((why.why == errc::node_timeout));
    BOOST_TEST(!why.in_doubt);
    BOOST_TEST(!sent->done());
    BOOST_TEST(f.line.refusal(sent).in_doubt);
}

BOOST_AUTO_TEST_CASE(a_sign_of_life_is_given) {
    hostile_fixture f(answering([](std::uint32_t id) {
        return frame(frame_kind::ping, 0, 0, "12345678") + whole_answer(id, "content");
    }));
    BOOST_TEST(f.line.ends(f.ask()));
    BOOST_TEST(eventually([&] {
        f.line.loop.context.poll();
        return f.peer.acknowledgements(frame_kind::ping) == 1;
    }));
}

BOOST_AUTO_TEST_CASE(who_asks_for_signs_of_life_without_end_is_left) {
    std::string flood;
    for (int i = 0; i < 100'000; ++i)
        flood += frame(frame_kind::ping, 0, 0, "12345678");
    hostile_fixture f(answering([&](std::uint32_t id) { return flood + whole_answer(id, "content"); }));
    const result_pointer r = f.ask();
    BOOST_TEST(f.line.ends(r)); // however that comes out, it does
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
