#pragma once

#include "contest_fixture.hpp"
#include "core/lock_token.hpp"
#include "engines/redis/dialect/scripts.hpp"
#include "engines/redis/queue/hand_overs.hpp"
#include "node/recorder.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace redlock::test {

/// A contest for a key that another client has, on nodes that keep queues.
struct queue_fixture : contest_fixture {
    queue_fixture() : contest_fixture(3, wakeup::automatic) {
        for (unsigned node = 0; node < 3; ++node) {
            quorum().session_of(node).set_hearing(redis::session::hearing::yes);
            quorum().session_of(node).set_wakeup(wakeup::timed); // of changes to keys they tell nothing
        }
    }

    /// It has asked in vain, and is to enter the queues.
    void wait_for_it(bool fencing = false) {
        contend(fencing, true);
        answer_each("---", {}, "$27\r\n" + other_token() + "\r\n");
        for (unsigned node = 0; node < 3; ++node)
            if (asks(node, "ZADD")) answer(node, ":0\r\n");
        answer(2, ":0\r\n"); // to a release, for it was decided before this one had refused
    }
    std::string other_token(std::uint64_t ticket = 1) const {
        return std::string(core::lock_token(core::client_name(7), ticket, 5).text());
    }
    /// Of the queue's script, in whatever form.
    bool enters(unsigned node) const {
        return (asks(node, text_of(redis::script::queue)) || asks(node, hash_of(redis::script::queue))) &&
               asks(node, "\r\n" + std::to_string(clock.time_since_epoch().count()) + "\r\n");
    }
    bool leaves(unsigned node) const {
        return (asks(node, text_of(redis::script::queue)) || asks(node, hash_of(redis::script::queue))) &&
               !asks(node, std::to_string(clock.time_since_epoch().count()));
    }
    void answer(unsigned node, std::string_view with) {
        turn([&] { nodes[node]->answer(with); });
    }
    std::string held(unsigned ahead, std::string_view left = "10000", bool is_told = true,
                     std::uint64_t by_ticket = 1) const {
        return "*5\r\n:0\r\n$27\r\n" + other_token(by_ticket) + "\r\n:" + std::string(left) +
               "\r\n:" + std::to_string(ahead) + "\r\n:" + (is_told ? "1" : "0") + "\r\n";
    }
    void held_everywhere(unsigned ahead = 0) {
        for (unsigned node = 0; node < 3; ++node)
            answer(node, held(ahead));
    }
    /// The token that the node was asked to enter with.
    std::string entered_with(unsigned node) const {
        const std::string own(quorum_name());
        const std::string_view asked = nodes[node]->asked();
        const auto begin = asked.find("$27\r\n" + own);
        BOOST_REQUIRE(begin != asked.npos);
        return std::string(asked.substr(begin + 5, 27));
    }
    std::string quorum_name() const {
        return std::string(const_cast<queue_fixture&>(*this).quorum().client_name().text());
    }
    void hear(unsigned node, const std::string& news) {
        const parsed_reply message(">3\r\n$7\r\nmessage\r\n$16\r\nredlock:" + quorum_name() + "\r\n$" +
                                   std::to_string(news.size()) + "\r\n" + news + "\r\n");
        turn([&] { quorum().hands().take_push(node, *message); });
    }
    void handed(unsigned node, const std::string& token, core::instant entered,
                std::chrono::milliseconds age = 10ms, const std::string& first_waiting = {},
                std::string_view key = "k") {
        hear(node, "y|" + token + "|" + std::to_string(entered.time_since_epoch().count()) + "|" +
                       std::to_string(age.count()) + "|0|" + first_waiting + "|" + other_token() + "|" +
                       std::string(key));
    }
    void pass(core::nanoseconds time) {
        clock += time;
        turn([] {});
    }
    bool nothing_is_asked() const {
        for (const auto& n : nodes)
            if (!n->asked().empty()) return false;
        return true;
    }
};

} // namespace redlock::test
