#include "sim/server.hpp"
#include "support/redis_connection.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <utility>

using namespace redlock;

namespace {

struct unheard : sim::server_observer {
    void key_changed(const sim::server&, std::string_view, const std::string&,
                     const sim::connection*) override {}
    void executes(const sim::server&, const sim::connection&, const sim::words&) override {}
    void key_asked_for(std::uint32_t, const std::string& key) override { asked_for += key + " "; }

    std::string asked_for;
};

struct peer final : sim::endpoint {
    void arrived(sim::signal, std::string bytes) override { received += bytes; }

    std::shared_ptr<sim::connection> link;
    std::string received;
};

struct one_server {
    one_server() {
        net.add_server(0, server);
        for (peer* p : {&speaker, &listener}) {
            p->link = std::make_shared<sim::connection>(net, p == &speaker ? 1 : 2, 0);
            p->link->open(*p);
        }
        settle();
    }
    void settle() {
        while (events.step()) {
        }
    }
    std::string ask(peer& by, const sim::words& command) {
        by.received.clear();
        by.link->send(sim::to_server, test::encode_command(command));
        settle();
        return std::exchange(by.received, {});
    }

    sim::event_queue events;
    sim::network net{events, 1};
    unheard observer;
    sim::server server{events, 0, {.flags = "Kz"}, observer, 1};
    peer speaker;
    peer listener;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(simulated_server, one_server)

BOOST_AUTO_TEST_CASE(a_message_reaches_those_who_listen_to_its_channel) {
    ask(listener, {"SUBSCRIBE", "c"});
    BOOST_TEST(ask(speaker, {"PUBLISH", "other", "m"}) == ":0\r\n");
    BOOST_TEST(ask(speaker, {"PUBSUB", "NUMSUB", "c", "d"}) == "*4\r\n$1\r\nc\r\n:1\r\n$1\r\nd\r\n:0\r\n");
    BOOST_TEST(listener.received.empty());
    BOOST_TEST(ask(speaker, {"PUBLISH", "c", "m"}) == ":1\r\n");
    BOOST_TEST(listener.received == "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n");
}

BOOST_AUTO_TEST_CASE(only_events_of_the_classes_asked_for_are_told) {
    ask(listener, {"SUBSCRIBE", "__keyspace@0__:k"});
    listener.received.clear();
    ask(speaker, {"HSET", "k", "f", "v"});
    ask(speaker, {"HDEL", "k", "f"});
    BOOST_TEST(listener.received.empty());
    ask(speaker, {"ZADD", "k", "1", "m"});
    BOOST_TEST(listener.received.ends_with("$4\r\nzadd\r\n"));
    listener.received.clear();
    ask(speaker, {"CONFIG", "SET", "notify-keyspace-events", "Kh"});
    server.tamper({"DEL", "k"});
    BOOST_TEST(listener.received.empty());
    server.tamper({"HSET", "k", "f", "v"});
    settle();
    BOOST_TEST(listener.received.ends_with("$4\r\nhset\r\n"));
}

BOOST_AUTO_TEST_CASE(what_stands_beside_a_lock_is_no_key_that_somebody_asks_for) {
    // With a hash that the server does not know.
    ask(speaker, {"EVALSHA", "0", "3", "k", "k:redlock-fence", "k:redlock-queue"});
    BOOST_TEST(observer.asked_for == "k ");
}

BOOST_AUTO_TEST_SUITE_END()
