#include "engines/etcd/line/http2_session.hpp"
#include "etcd_line/http2_peer.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::test {

namespace {

/// An exchange that counts what it hears.
class told_exchange final : public etcd::exchange {
public:
    explicit told_exchange(bool single, std::string_view asks = "request")
        : exchange(etcd::methods::put, single) {
        outgoing_.append(asks);
    }
    void has_news() noexcept override {
        ++news;
        std::string_view message;
        while (incoming_.next(message))
            heard += std::string(message) + "|";
        how = ending_;
    }
    bool under_way() const noexcept { return is_under_way(); }

    unsigned news = 0;
    std::string heard;
    etcd::ending how = etcd::ending::not_yet;
};

void take_news(etcd::http2_session& from, const std::vector<told_exchange*>& all) {
    while (etcd::exchange* const e = from.next_news())
        for (told_exchange* const each : all)
            if (static_cast<etcd::exchange*>(each) == e) each->has_news();
}

/// Gives the bytes in pieces of that size; what is wrong with them ends it.
void give(etcd::http2_session& to, std::string_view bytes, std::size_t piece,
          const std::vector<told_exchange*>& all) {
    etcd::bytes answer;
    while (!bytes.empty()) {
        const std::size_t size = std::min(piece, bytes.size());
        const bool goes_on = to.arrived(bytes.substr(0, size)) && to.gather(answer, {});
        take_news(to, all);
        if (!goes_on) return;
        answer.clear();
        bytes.remove_prefix(size);
    }
}

std::string conversation() {
    return settings() + whole_answer(1, "first") + head(3) + frame(frame_kind::data, 0, 3, message("one")) +
           frame(frame_kind::ping, 0, 0, "12345678") + frame(frame_kind::data, 0, 3, message("two")) +
           frame(frame_kind::window, 0, 0, number(1000)) + trailers(3, "14", "etcdserver: no leader");
}

struct session_with_two {
    session_with_two() {
        BOOST_TEST_REQUIRE(http2.begin(single, "token"));
        BOOST_TEST_REQUIRE(http2.begin(several, {}));
        etcd::bytes sent;
        BOOST_TEST_REQUIRE(http2.gather(sent, {}));
    }
    told_exchange single{true};
    told_exchange several{false};
    etcd::http2_session http2{"localhost:2379", false};
};

} // namespace

BOOST_AUTO_TEST_SUITE(http2_session_suite)

BOOST_AUTO_TEST_CASE(answers_arrive_in_pieces_of_any_size) {
    for (std::size_t piece = 1; piece < 200; ++piece) {
        session_with_two s;
        give(s.http2, conversation(), piece, {&s.single, &s.several});
        BOOST_TEST(s.single.heard == "first|");
        BOOST_TEST((s.single.how == etcd::ending::in_order));
        BOOST_TEST(s.several.heard == "one|two|");
        BOOST_TEST((s.several.how == etcd::ending::in_order));
        BOOST_TEST(!s.single.under_way());
        BOOST_TEST(s.http2.problem().empty());
    }
}

BOOST_AUTO_TEST_CASE(what_is_cancelled_is_not_heard_of) {
    session_with_two s;
    s.http2.cancel(s.single);
    s.http2.cancel(s.several);
    give(s.http2, conversation(), 1000, {&s.single, &s.several});
    BOOST_TEST(s.single.news + s.several.news == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_cancelled_before_it_left_does_not_leave) {
    told_exchange e(true);
    etcd::http2_session http2("localhost:2379", false);
    etcd::bytes before, after;
    BOOST_TEST_REQUIRE(http2.gather(before, {}));
    BOOST_TEST_REQUIRE(http2.begin(e, {}));
    http2.cancel(e);
    BOOST_TEST_REQUIRE(http2.gather(after, {}));
    BOOST_TEST(after.empty());
}

// A server takes 65 535 bytes before it says that there is room for more. What begins has all of its bytes
// taken, or is alone.
BOOST_AUTO_TEST_CASE(there_is_room_for_what_leaves_with_all_that_was_begun_before) {
    const std::string long_text(20'000, 'x');
    std::deque<told_exchange> all;
    for (int i = 0; i < 7; ++i)
        all.emplace_back(true, long_text);
    etcd::http2_session http2("localhost:2379", false);
    etcd::bytes sent;
    for (std::size_t i = 0; i < 3; ++i) {
        BOOST_TEST(http2.has_room_for(all[i]));
        BOOST_TEST_REQUIRE(http2.begin(all[i], {}));
    }
    BOOST_TEST(!http2.has_room_for(all[3]));
    BOOST_TEST_REQUIRE(http2.gather(sent, {}));
    BOOST_TEST(sent.size() > 3 * long_text.size());
    BOOST_TEST(http2.has_room_for(all[3])); // for its beginning
    BOOST_TEST_REQUIRE(http2.begin(all[3], {}));
    BOOST_TEST_REQUIRE(http2.gather(sent, {}));
    BOOST_TEST(sent.size() < 4 * long_text.size());
    BOOST_TEST(!http2.has_room_for(all[4]));
    BOOST_TEST_REQUIRE(http2.arrived(settings() + frame(frame_kind::window, 0, 0, number(40'000))));
    BOOST_TEST(http2.has_room_for(all[4]));
    BOOST_TEST_REQUIRE(http2.begin(all[4], {}));
    BOOST_TEST(!http2.has_room_for(all[5]));
    http2.cancel(all[4]); // before it left
    BOOST_TEST(http2.has_room_for(all[5]));
    BOOST_TEST_REQUIRE(http2.begin(all[5], {}));
    BOOST_TEST(!http2.has_room_for(all[6]));
    BOOST_TEST_REQUIRE(http2.gather(sent, {}));
    BOOST_TEST(sent.size() > 5 * long_text.size());
}

// Whatever a server says, nothing breaks here, and what is told is told once.
BOOST_AUTO_TEST_CASE(bytes_that_were_changed_do_no_harm) {
    const std::string intact = conversation();
    for (unsigned seed = 0; seed < 20'000; ++seed) {
        std::mt19937 random(seed);
        std::string bytes = intact;
        for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
            const std::size_t place = random() % bytes.size();
            switch (random() % 3) {
            case 0:
                bytes[place] = static_cast<char>(random());
                break;
            case 1:
                bytes.erase(place, 1 + random() % 8);
                break;
            default:
                bytes.insert(place, bytes, random() % bytes.size(), random() % 64);
            }
            if (bytes.empty()) bytes = "x";
        }
        session_with_two s;
        give(s.http2, bytes, 1 + random() % 300, {&s.single, &s.several});
        BOOST_TEST_REQUIRE(s.single.news <= 1u);
        BOOST_TEST_REQUIRE((s.single.how == etcd::ending::not_yet) == s.single.under_way());
        s.http2.cancel(s.single);
        s.http2.cancel(s.several);
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
