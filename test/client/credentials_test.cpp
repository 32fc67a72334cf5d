// Users and passwords that change while a client runs.

#include "lock_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

namespace redlock::test {
namespace {

struct credentials_fixture : lock_fixture {
    credentials_fixture() : lock_fixture(3, {.directives = {}, .password = "first", .persistent = false}) {}

    config asking() {
        config c = settings();
        c.credentials = [this](std::string_view node) {
            ++asked;
            last_asked = node;
            if (given.empty()) throw std::runtime_error("the vault is sealed: hunter2");
            return credentials{.user = {}, .password = given};
        };
        return c;
    }
    void change_password(const std::string& to) {
        for (auto& node : nodes)
            node.command({"CONFIG", "SET", "requirepass", to});
    }
    void end_all_connections() {
        for (auto& node : nodes)
            for (const char* kind : {"normal", "pubsub"}) // one that listens is of the second
                node.command({"CLIENT", "KILL", "TYPE", kind, "SKIPME", "yes"});
    }
    /// Whether a text of the client's has it.
    static bool tells(const client& locks, const std::string& secret) {
        for (const node_metrics& node : locks.metrics().nodes)
            if ((node.node + node.last_error_text).find(secret) != std::string::npos) return true;
        return false;
    }
    std::uint64_t reconnects(const client& locks) {
        std::uint64_t all = 0;
        for (const node_metrics& node : locks.metrics().nodes)
            all += node.reconnects;
        return all;
    }

    std::string given = "first";
    std::string last_asked;
    int asked = 0;
};

BOOST_FIXTURE_TEST_SUITE(changing_credentials, credentials_fixture)

BOOST_AUTO_TEST_CASE(they_are_asked_for_at_each_login_and_in_place_of_those_of_the_address) {
    config c = asking();
    c.nodes.clear();
    for (auto& node : nodes)
        c.nodes.push_back(node.uri("nobody", "wrong"));
    client locks(context.get_executor(), c);
    BOOST_TEST(!try_lock(locks, "key"));
    BOOST_TEST(becomes_ready(locks));
    BOOST_TEST(asked >= 3);
    BOOST_TEST(last_asked.starts_with("redis://127.0.0.1:"));
    BOOST_TEST(last_asked.find('@') == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_password_changes_while_leases_are_held) {
    client locks(context.get_executor(), asking());
    lease held = lock(locks, "key", {.ttl = 9s});
    BOOST_REQUIRE(becomes_ready(locks));
    change_password("second");
    given = "second";
    // Those that live go on.
    const int before = asked;
    BOOST_TEST(!try_lock(locks, "other"));
    BOOST_TEST(asked == before);
    end_all_connections();
    BOOST_TEST(run_until([&] { return reconnects(locks) >= 3; }));
    BOOST_TEST(becomes_ready(locks));
    BOOST_TEST(!try_lock(locks, "other"));
    BOOST_TEST(held.valid());
    BOOST_TEST(!unlock(held));
    BOOST_TEST(becomes_free("key"));
    BOOST_TEST(!tells(locks, "second"));
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_named_without_being_told_and_what_is_right_helps_later) {
    given = "wrong-password";
    client locks(context.get_executor(), asking());
    BOOST_TEST(try_lock(locks, "key") == errc::authentication_failed);
    BOOST_TEST(!tells(locks, given));
    given = "first";
    BOOST_TEST(run_until([&] { return !try_lock(locks, "key"); }));
}

BOOST_AUTO_TEST_CASE(an_exception_is_a_failed_login_and_its_text_stays_untold) {
    given.clear();
    client locks(context.get_executor(), asking());
    BOOST_TEST(try_lock(locks, "key") == errc::authentication_failed);
    BOOST_TEST(locks.metrics().nodes.at(0).last_error_text.find("config::credentials") != std::string::npos);
    BOOST_TEST(!tells(locks, "hunter2"));
    given = "first";
    BOOST_TEST(run_until([&] { return !try_lock(locks, "key"); }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
