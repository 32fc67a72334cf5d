#include "etcd_line/line_fixture.hpp"

namespace redlock::test {

namespace {

etcd::line_settings as_user(std::uint16_t port, const std::string& user, const std::string& password) {
    etcd::line_settings s = to_ports({port});
    s.login = {.user = user, .password = password};
    return s;
}

etcd_options with_users(std::vector<std::string> arguments = {}) {
    etcd_options o;
    o.root_password = "of-root";
    // The least that it takes for its hash.
    o.arguments = {"--bcrypt-cost=4"};
    o.arguments.insert(o.arguments.end(), arguments.begin(), arguments.end());
    return o;
}

struct login_fixture : member_fixture {
    login_fixture() : member_fixture(with_users({"--auth-token-ttl=2"})) {
        server.add_user("alice", "geheim-42", "mine/");
    }
    line_loop::loss first_loss(etcd::line_settings s) {
        line_fixture l(std::move(s));
        l.loop.start();
        BOOST_TEST_REQUIRE(l.loop.loses());
        return l.loop.losses[0];
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(login_suite, login_fixture)

BOOST_AUTO_TEST_CASE(a_user_with_a_password_may_what_it_may) {
    line_fixture l(as_user(server.port(), "alice", "geheim-42"));
    BOOST_TEST_REQUIRE(l.loop.serves());
    l.answer(etcd::methods::put, put("mine/key"));
    const etcd::failure f = l.refusal(l.ask(etcd::methods::put, put("theirs/key")));
    BOOST_TEST((f.why == errc::permission_denied));
    BOOST_TEST(!f.in_doubt);
    BOOST_TEST(l.loop.losses.empty());
}

BOOST_AUTO_TEST_CASE(a_wrong_password_is_told_as_such) {
    const auto wrong = first_loss(as_user(server.port(), "alice", "wrong-word"));
    BOOST_TEST((wrong.why == errc::authentication_failed));
    BOOST_TEST(wrong.text.starts_with("refused the user or the password: "));
    BOOST_TEST(wrong.text.find("wrong-word") == std::string::npos);
    const auto nobody = first_loss(as_user(server.port(), "bob", "wrong-word"));
    BOOST_TEST((nobody.why == errc::authentication_failed));
}

BOOST_AUTO_TEST_CASE(who_does_not_log_in_is_told_so_at_the_call) {
    line_fixture l(to_ports({server.port()}));
    BOOST_TEST_REQUIRE(l.loop.serves());
    const etcd::failure f = l.refusal(l.ask(etcd::methods::put, put("mine/key")));
    BOOST_TEST((f.why == errc::authentication_failed));
}

BOOST_AUTO_TEST_CASE(credentials_are_asked_for_before_each_log_in) {
    etcd::line_settings s = as_user(server.port(), "nobody", "of-no-matter");
    s.name = "etcd://cluster";
    unsigned asked = 0;
    s.log_in_as = [&](std::string_view node) {
        BOOST_TEST(node == "etcd://cluster");
        if (++asked == 1) throw std::runtime_error("geheim-42");
        return credentials{.user = "alice", .password = asked == 2 ? "old" : "geheim-42"};
    };
    line_fixture l(std::move(s));
    BOOST_TEST_REQUIRE(l.loop.serves());
    BOOST_TEST(asked == 3u);
    BOOST_TEST_REQUIRE(l.loop.losses.size() == 2u);
    for (const auto& each : l.loop.losses) {
        BOOST_TEST((each.why == errc::authentication_failed));
        BOOST_TEST(each.text.find("geheim-42") == std::string::npos);
    }
    l.answer(etcd::methods::put, put("mine/key"));
}

BOOST_AUTO_TEST_CASE(a_token_that_has_run_out_is_renewed_without_a_word) {
    etcd::line_settings s = as_user(server.port(), "alice", "geheim-42");
    unsigned asked = 0;
    s.log_in_as = [&](std::string_view) {
        ++asked;
        return credentials{.user = "alice", .password = "geheim-42"};
    };
    line_fixture l(std::move(s));
    BOOST_TEST_REQUIRE(l.loop.serves());
    l.answer(etcd::methods::put, put("mine/key"));
    BOOST_TEST(asked == 1u);
    // It lives for two seconds behind its last use.
    const auto spent = std::chrono::steady_clock::now() + 5s;
    BOOST_TEST_REQUIRE(l.loop.run_until([&] { return std::chrono::steady_clock::now() > spent; }));
    std::vector<result_pointer> all;
    l.loop.turn([&] {
        for (int i = 0; i < 20; ++i) {
            all.push_back(std::make_shared<call_result>());
            l.loop.line().submit(*new asked_call(etcd::methods::put, put("mine/key"), all.back()));
        }
    });
    for (const result_pointer& each : all) {
        BOOST_TEST_REQUIRE(l.ends(each));
        BOOST_TEST_REQUIRE(!each->failed, each->failed->text);
    }
    BOOST_TEST(asked == 2u);
    BOOST_TEST(l.loop.losses.empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(without_users_suite)

BOOST_AUTO_TEST_CASE(a_user_is_no_harm_where_there_are_none) {
    member_fixture m;
    line_fixture l(as_user(m.server.port(), "alice", "geheim-42"));
    BOOST_TEST_REQUIRE(l.loop.serves());
    l.answer(etcd::methods::put, put("key"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
