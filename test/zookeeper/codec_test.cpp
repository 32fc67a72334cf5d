// What is sent, byte by byte, and what comes of answers that are cut off, too long, or nonsense.

#include "engines/zookeeper/session/server_word.hpp"
#include "engines/zookeeper/wire/jute_reader.hpp"
#include "engines/zookeeper/wire/limits.hpp"
#include "engines/zookeeper/wire/replies.hpp"
#include "engines/zookeeper/wire/requests.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <random>
#include <string>

namespace redlock::zookeeper {
namespace {

using namespace std::string_literals;

void put_state(jute_writer& w, std::int64_t modified, std::int32_t version) {
    w.put_long(3);
    w.put_long(modified);
    w.put_long(0);
    w.put_long(0);
    w.put_int(version);
    w.put_int(0);
    w.put_int(0);
    w.put_long(77);
    w.put_int(17);
    w.put_int(0);
    w.put_long(0);
}

void put_result_head(jute_writer& w, std::int32_t kind, bool is_over = false) {
    w.put_int(kind);
    w.put_bool(is_over);
    w.put_int(-1);
}

/// Every beginning of the bytes that is not all of them is refused.
void refuses_every_beginning(const std::string& whole, const std::function<bool(std::string_view)>& reads) {
    BOOST_TEST(reads(whole));
    for (std::size_t n = 0; n < whole.size(); ++n)
        BOOST_TEST(!reads(std::string_view(whole).substr(0, n)), "read " << n << " of " << whole.size());
}

BOOST_AUTO_TEST_SUITE(codec)

BOOST_AUTO_TEST_CASE(requests_are_what_servers_expect) {
    std::string sent;
    append_packet(sent, 258, get_data("/a", true));
    BOOST_TEST(sent == "\0\0\0\x0f\0\0\1\2\0\0\0\4\0\0\0\2/a\1"s);
    BOOST_TEST(create("/a", "d", life_of_node::ephemeral_in_sequence, access::everybody).bytes ==
               "\0\0\0\2/a\0\0\0\1d\0\0\0\1\0\0\0\x1f\0\0\0\5world\0\0\0\6anyone\0\0\0\3"s);
    multi m;
    m.check("/a", 5);
    BOOST_TEST(m.size() == 1u);
    BOOST_TEST(m.finish().bytes ==
               "\0\0\0\x0d\0\xff\xff\xff\xff\0\0\0\2/a\0\0\0\5\xff\xff\xff\xff\1\xff\xff\xff\xff"s);
    BOOST_TEST(connect_packet({.last_seen = 1, .timeout = 2, .session = 3, .password = "pw"}) ==
               "\0\0\0\x1f\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\2\0\0\0\0\0\0\0\3\0\0\0\2pw\0"s);
}

BOOST_AUTO_TEST_CASE(a_session_that_is_granted) {
    jute_writer w;
    w.put_int(0);
    w.put_int(4000);
    w.put_long(42);
    w.put_text("secret");
    const std::string before_3_4 = w.bytes();
    BOOST_TEST(read_session_grant(before_3_4).value().session == 42);
    refuses_every_beginning(before_3_4, [](auto b) { return read_session_grant(b).has_value(); });
    w.put_bool(true);
    BOOST_TEST(read_session_grant(w.bytes()).value().only_reads);
}

BOOST_AUTO_TEST_CASE(heads_states_and_data) {
    jute_writer head;
    head.put_int(7);
    head.put_long(99);
    head.put_int(-101);
    std::string_view body;
    BOOST_TEST((read_head(head.bytes(), body).value().failed == fault::no_node));
    refuses_every_beginning(head.bytes(), [&](auto b) { return read_head(b, body).has_value(); });
    jute_writer data;
    data.put_text("what stands there");
    put_state(data, 12, 8);
    const auto read = read_data(data.bytes());
    BOOST_TEST(read.value().data == "what stands there");
    BOOST_TEST(read->state.modified == 12);
    BOOST_TEST(read->state.version == 8);
    BOOST_TEST(read->state.owner == 77);
    BOOST_TEST(read->state.size == 17);
    refuses_every_beginning(data.bytes(), [](auto b) { return read_data(b).has_value(); });
}

BOOST_AUTO_TEST_CASE(children_and_their_number) {
    jute_writer w;
    w.put_int(2);
    w.put_text("one");
    w.put_text("two");
    put_state(w, 1, 0);
    BOOST_TEST(read_children(w.bytes()).value().names.size() == 2u);
    refuses_every_beginning(w.bytes(), [](auto b) { return read_children(b).has_value(); });
    for (const std::int32_t count : {-2, 3, 1'000'000, 0x7fffffff}) {
        jute_writer lie;
        lie.put_int(count);
        lie.put_text("one");
        lie.put_text("two");
        BOOST_TEST(!read_children(lie.bytes()), count);
    }
}

BOOST_AUTO_TEST_CASE(results_of_several_operations) {
    jute_writer w;
    put_result_head(w, 5);
    put_state(w, 12, 8);
    put_result_head(w, 1);
    w.put_text("/a/b");
    put_result_head(w, 13);
    put_result_head(w, -1);
    w.put_int(-103);
    put_result_head(w, -1, true);
    const auto all = read_multi(w.bytes());
    BOOST_REQUIRE(all.has_value());
    BOOST_REQUIRE(all->size() == 4u);
    BOOST_TEST((*all)[0].state.value().version == 8);
    BOOST_TEST((*all)[1].path == "/a/b");
    BOOST_TEST(((*all)[3].failed == fault::bad_version));
    refuses_every_beginning(w.bytes(), [](auto b) { return read_multi(b).has_value(); });
    jute_writer endless;
    for (std::size_t i = 0; i <= most_operations; ++i)
        put_result_head(endless, 13);
    put_result_head(endless, -1, true);
    BOOST_TEST(!read_multi(endless.bytes()));
    jute_writer unknown;
    put_result_head(unknown, 99);
    put_result_head(unknown, -1, true);
    BOOST_TEST(!read_multi(unknown.bytes()));
}

BOOST_AUTO_TEST_CASE(several_transactions_are_joined_to_one) {
    multi first, second, both;
    first.remove("/a/1").check("/a", 7);
    second.set_data("/b", "data", 3);
    both.remove("/a/1").check("/a", 7).set_data("/b", "data", 3);
    const request_body one = first.finish(), other = second.finish();
    const request_body joined = join({&one, &other});
    BOOST_TEST((joined.what == operation_code::multi));
    BOOST_TEST(joined.bytes == both.finish().bytes);
}

/// What `read_multi` finds in each part.
std::vector<std::vector<operation_result>> results_of(const std::vector<part_of_multi>& parts) {
    std::vector<std::vector<operation_result>> all;
    for (const part_of_multi& each : parts)
        all.push_back(read_multi(each.body).value());
    return all;
}

BOOST_AUTO_TEST_CASE(the_answer_to_several_is_split) {
    jute_writer w;
    put_result_head(w, 5);
    put_state(w, 12, 8);
    put_result_head(w, 1);
    w.put_text("/a/b");
    put_result_head(w, 5);
    put_state(w, 12, 3);
    put_result_head(w, -1, true);
    const auto parts = split_multi(w.bytes(), {2, 1});
    BOOST_REQUIRE(parts.has_value());
    const auto all = results_of(*parts);
    BOOST_REQUIRE(all.size() == 2u);
    BOOST_REQUIRE(all[0].size() == 2u);
    BOOST_TEST(all[0][0].state.value().version == 8);
    BOOST_TEST(all[0][1].path == "/a/b");
    BOOST_REQUIRE(all[1].size() == 1u);
    BOOST_TEST(all[1][0].state.value().version == 3);
    refuses_every_beginning(w.bytes(), [](auto b) { return split_multi(b, {2, 1}).has_value(); });
    for (const auto& sizes : {std::vector<std::size_t>{2}, {2, 2}, {1, 1}, {4}, {}})
        BOOST_TEST(!split_multi(w.bytes(), sizes));
}

BOOST_AUTO_TEST_CASE(the_answer_to_several_says_which_one_was_refused) {
    jute_writer w;
    for (const std::int32_t said : {0, 0, 0, -103, -2}) {
        put_result_head(w, -1);
        w.put_int(said);
    }
    put_result_head(w, -1, true);
    const auto parts = split_multi(w.bytes(), {2, 2, 1});
    BOOST_REQUIRE(parts.has_value());
    BOOST_TEST(((*parts)[0].failed == fault::none));
    BOOST_TEST(((*parts)[1].failed == fault::bad_version));
    BOOST_TEST(((*parts)[2].failed == fault::undone));
    BOOST_TEST((results_of(*parts)[1][1].failed == fault::bad_version));
}

BOOST_AUTO_TEST_CASE(lengths_that_lie_are_refused) {
    for (const std::int32_t length : {-2, 5, 0x7fffffff}) {
        jute_writer w;
        w.put_int(length);
        const std::string bytes = w.bytes() + "abcd";
        jute_reader r(bytes);
        BOOST_TEST(r.get_text(100).empty());
        BOOST_TEST(!r.is_good());
        BOOST_TEST(r.get_long() == 0);
    }
    jute_writer w;
    w.put_text("abcd");
    jute_reader r(w.bytes());
    BOOST_TEST(r.get_text(3).empty());
    BOOST_TEST(!r.is_good());
}

BOOST_AUTO_TEST_CASE(a_server_says_its_version) {
    BOOST_TEST(version_in("Zookeeper version: 3.8.0-5a02a05, built on 2022\nLatency min") == "3.8.0");
    BOOST_TEST(version_in("Zookeeper version: 3.9") == "3.9");
    BOOST_TEST(version_in("srvr is not executed because it is not in the whitelist.\n").empty());
    BOOST_TEST(version_in("Zookeeper version: \x1b[1m").empty());
    BOOST_TEST(version_in("Zookeeper version: " + std::string(4000, '1')).size() == 32u);
    BOOST_TEST(version_in("").empty());
}

BOOST_AUTO_TEST_CASE(noise_is_read_without_harm) {
    std::mt19937 random(17);
    for (int i = 0; i < 20'000; ++i) {
        std::string noise(random() % 96, '\0');
        for (char& c : noise)
            c = static_cast<char>(random() % 4 == 0 ? random() : random() % 3);
        std::string_view body;
        read_head(noise, body);
        read_session_grant(noise);
        read_data(noise);
        read_children(noise);
        read_multi(noise);
        split_multi(noise, {2, 1});
        read_watch_event(noise);
        read_created_path(noise);
        read_state(noise);
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::zookeeper
