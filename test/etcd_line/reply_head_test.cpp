#include "engines/etcd/line/message_frames.hpp"
#include "engines/etcd/line/reply_head.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace redlock::test {

using namespace std::string_literals;

namespace {

using fields = std::initializer_list<std::pair<std::string_view, std::string_view>>;

etcd::reply_head head_of(fields all) {
    etcd::reply_head head;
    for (const auto& [name, value] : all)
        BOOST_TEST_REQUIRE(head.take(name, value));
    return head;
}

etcd::failure verdict_of(std::string_view status, std::string_view words) {
    const etcd::reply_head head = head_of({{":status", "200"},
                                           {"content-type", "application/grpc"},
                                           {"grpc-status", status},
                                           {"grpc-message", words}});
    return head.verdict().value();
}

std::string frame_of(std::string_view message) {
    etcd::outgoing_messages out;
    out.append(message);
    std::array<char, 1000> room{};
    return {room.data(), out.take(room)};
}

} // namespace

BOOST_AUTO_TEST_SUITE(reply_head_suite)

BOOST_AUTO_TEST_CASE(a_status_of_zero_is_an_answer) {
    BOOST_TEST(!head_of({{":status", "200"}, {"content-type", "application/grpc"}, {"grpc-status", "0"}})
                    .verdict()
                    .has_value());
}

BOOST_AUTO_TEST_CASE(each_status_has_its_meaning) {
    struct expected {
        const char* status;
        errc why;
        bool in_doubt;
    };
    for (const expected& e : {expected{"1", errc::node_unavailable, true},
                              {"2", errc::server_error, true},
                              {"3", errc::protocol_error, false},
                              {"4", errc::node_timeout, true},
                              {"5", errc::server_error, false},
                              {"7", errc::permission_denied, false},
                              {"8", errc::out_of_memory, false},
                              {"9", errc::server_error, false},
                              {"11", errc::server_error, false},
                              {"12", errc::protocol_error, false},
                              {"13", errc::server_error, true},
                              {"14", errc::node_unavailable, true},
                              {"15", errc::server_error, true},
                              {"16", errc::authentication_failed, false},
                              {"17", errc::server_error, true},
                              {"4294967296", errc::server_error, true},
                              {"-1", errc::server_error, true},
                              {"none", errc::server_error, true},
                              {"", errc::server_error, true}}) {
        BOOST_TEST_CONTEXT(e.status) {
            const etcd::failure f = verdict_of(e.status, "words");
            BOOST_TEST((f.why == e.why));
            BOOST_TEST(f.in_doubt == e.in_doubt);
        }
    }
}

BOOST_AUTO_TEST_CASE(words_are_decoded_cut_and_printable) {
    BOOST_TEST(verdict_of("13", "%1b[31m%C3%A9 100%% %4").text ==
               "answered with an error: \\x1b[31m\\xc3\\xa9 100%% %4 (status 13 of gRPC)");
    const std::string text = verdict_of("13", std::string(10'000, 'x')).text;
    BOOST_TEST(text.size() < 300u);
}

BOOST_AUTO_TEST_CASE(what_is_no_answer_of_gRPC_is_told_as_such) {
    const auto told = [](fields all) { return head_of(all).verdict().value(); };
    const etcd::failure page = told({{":status", "404"}, {"content-type", "text/html"}});
    BOOST_TEST((page.why == errc::protocol_error));
    BOOST_TEST(page.text == "answered with status 404 of HTTP");
    BOOST_TEST((told({{":status", "503"}}).why == errc::node_unavailable));
    BOOST_TEST((told({{":status", "401"}}).why == errc::authentication_failed));
    BOOST_TEST((told({{":status", "200"}, {"content-type", "text/html"}, {"grpc-status", "0"}}).why ==
                errc::protocol_error));
    BOOST_TEST(told({{":status", "200"}, {"content-type", "application/grpc+proto"}}).text ==
               "ended an answer without a status");
}

BOOST_AUTO_TEST_CASE(a_member_without_a_leader_is_known_by_its_words) {
    const etcd::reply_head head = head_of({{":status", "200"},
                                           {"content-type", "application/grpc"},
                                           {"grpc-status", "14"},
                                           {"grpc-message", "etcdserver: no leader"}});
    BOOST_TEST(head.lacks_leader());
    BOOST_TEST(!head.verdict()->in_doubt);
    BOOST_TEST(
        !head_of({{"grpc-status", "14"}, {"grpc-message", "etcdserver: leader changed"}}).lacks_leader());
}

BOOST_AUTO_TEST_CASE(a_token_that_is_spent_is_known_by_its_status) {
    BOOST_TEST(head_of({{"grpc-status", "16"}}).wants_other_token());
    BOOST_TEST(head_of({{"grpc-status", "3"}, {"grpc-message", "etcdserver: revision of auth store is old"}})
                   .wants_other_token());
    BOOST_TEST(!head_of({{"grpc-status", "3"}}).wants_other_token());
    BOOST_TEST(!head_of({{"grpc-status", "7"}}).wants_other_token());
}

BOOST_AUTO_TEST_CASE(fields_have_a_limit) {
    etcd::reply_head head;
    std::size_t taken = 0;
    while (head.take("name", "value"))
        ++taken;
    BOOST_TEST(taken == etcd::reply_head::longest / (4 + 5 + 32));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(message_frames_suite)

BOOST_AUTO_TEST_CASE(a_message_has_a_flag_and_its_length_before_it) {
    BOOST_TEST(frame_of("abc") == "\0\0\0\0\3abc"s);
    BOOST_TEST(frame_of("") == "\0\0\0\0\0"s);
}

BOOST_AUTO_TEST_CASE(messages_leave_in_pieces) {
    etcd::outgoing_messages out;
    out.append("abc");
    BOOST_TEST(out.none_taken());
    std::array<char, 3> room{};
    std::string all;
    while (!out.all_taken())
        all.append(room.data(), out.take(room));
    BOOST_TEST(all == "\0\0\0\0\3abc"s);
    out.append("d");
    BOOST_TEST(out.left() == 6u);
    BOOST_TEST(out.none_taken());
}

BOOST_AUTO_TEST_CASE(messages_arrive_in_pieces_of_any_size) {
    const std::string all = frame_of("first") + frame_of("") + frame_of("third");
    for (std::size_t piece = 1; piece <= all.size(); ++piece) {
        etcd::incoming_messages in;
        std::string found;
        for (std::size_t i = 0; i < all.size(); i += piece) {
            BOOST_TEST_REQUIRE(in.append(std::string_view(all).substr(i, piece), false) == nullptr);
            std::string_view message;
            while (in.next(message))
                found += std::string(message) + "|";
        }
        BOOST_TEST(found == "first||third|");
        BOOST_TEST(!in.has_rest());
    }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_a_message_is_refused_at_once) {
    const auto said = [](std::string_view bytes, bool single) {
        etcd::incoming_messages in;
        const char* const wrong = in.append(bytes, single);
        return std::string(wrong ? wrong : "");
    };
    BOOST_TEST(said("\1\0\0\0\3abc"s, true) == "sent a compressed message, which was not asked for");
    BOOST_TEST(said("\0\0\x40\0\1"s, true) == "sent a message of more than 4 MiB");
    BOOST_TEST(said("\0\0\x40\0\0"s, true).empty());
    BOOST_TEST(said("\0\xff\xff\xff\xff"s, false) == "sent a message of more than 4 MiB");
    BOOST_TEST(said(frame_of("a") + frame_of("b"), true) == "answered a call twice");
    BOOST_TEST(said(frame_of("a") + "\0"s, true) == "answered a call twice");
    BOOST_TEST(said(frame_of("a") + "\1"s, false).empty());
    BOOST_TEST(said(frame_of("a") + "\1\0\0\0\0"s, false) ==
               "sent a compressed message, which was not asked for");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
