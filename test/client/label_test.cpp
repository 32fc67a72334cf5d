// Holders that say who they are, on real nodes.

#include "lock_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <system_error>

namespace redlock::test {
namespace {

struct label_fixture : lock_fixture {
    client labelled(const std::string& label) {
        config c = settings();
        c.holder_label = label;
        return client(context.get_executor(), c);
    }
    key_report inspect(client& by, const std::string& key = "key") {
        return run(by.async_inspect(key, asio::use_awaitable));
    }
    /// Once all nodes have the key with this label.
    bool is_on_all(const std::string& ending, const std::string& key = "key") {
        return run_until([&] {
            for (auto& node : nodes)
                if (!node.get(key).value_or("").ends_with(ending)) return false;
            return true;
        });
    }
    bool is_gone(const std::string& key = "key") {
        return run_until([&] { return nodes.holders(key) == 0; });
    }

    client one = labelled("web-1");
    client other = labelled("web-2: the second");
    client silent{context.get_executor(), settings()};

    label_fixture() {
        for (const client* each : {&one, &other, &silent})
            BOOST_REQUIRE(becomes_ready(*each));
    }
};

BOOST_FIXTURE_TEST_SUITE(holder_labels, label_fixture)

BOOST_AUTO_TEST_CASE(whoever_looks_is_told_who_the_holder_is) {
    lease held = lock(one, "key");
    BOOST_REQUIRE(is_on_all("::web-1"));
    const key_report report = inspect(silent);
    BOOST_TEST(report.holder_label == "web-1");
    for (const node_key_report& node : report.nodes)
        BOOST_TEST(node.label == "web-1");
    BOOST_TEST(try_lock(silent, "key", {.wait = 0ms}) == errc::held);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(is_gone());
}

BOOST_AUTO_TEST_CASE(who_has_no_label_is_not_named) {
    lease held = lock(silent, "key");
    const key_report report = inspect(one);
    BOOST_TEST(report.holder.has_value());
    BOOST_TEST(report.holder_label.empty());
    BOOST_TEST(!unlock(held));
}

BOOST_AUTO_TEST_CASE(a_label_stays_through_renewals_repairs_and_new_tokens) {
    for (const bool fencing : {false, true}) {
        lease held = lock(one, "key", {.ttl = 1s, .fencing = fencing});
        BOOST_REQUIRE(is_on_all(":web-1"));
        nodes[0].command({"DEL", "key"});
        BOOST_TEST(is_on_all(":web-1"));
        const auto renewals = one.metrics().renewals;
        BOOST_TEST(run_until([&] { return one.metrics().renewals > renewals; }));
        BOOST_TEST(is_on_all(":web-1"));
        // Handed on within the process, which takes a new token with fencing.
        outcome<lease> next;
        one.async_lock("key", {.ttl = 1s, .fencing = fencing}, next.handler());
        context.poll();
        BOOST_TEST(!unlock(held));
        BOOST_REQUIRE(run_until([&] { return next.done(); }));
        lease second = std::move(next.value());
        BOOST_TEST(is_on_all(":web-1"));
        if (fencing) {
            outcome<> checked;
            silent.async_check("key", *second.fencing_token(), checked.handler());
            BOOST_TEST(run_until([&] { return checked.done(); }));
            BOOST_TEST(!checked.error());
        }
        BOOST_TEST(!unlock(second));
        BOOST_TEST(is_gone());
    }
}

BOOST_AUTO_TEST_CASE(a_key_that_is_handed_over_has_the_label_of_whoever_gets_it) {
    for (const bool fencing : {false, true}) {
        lease held = lock(one, "key", {.fencing = fencing});
        BOOST_REQUIRE(is_on_all(":web-1"));
        outcome<lease> second, third;
        other.async_lock("key", {.fencing = fencing}, second.handler());
        BOOST_REQUIRE(run_until([&] { return nodes[0].exists("key:redlock-queue"); }));
        BOOST_TEST(!unlock(held));
        BOOST_REQUIRE(run_until([&] { return second.done(); }));
        held = std::move(second.value());
        BOOST_TEST(is_on_all(":web-2: the second"));
        silent.async_lock("key", {.fencing = fencing}, third.handler());
        BOOST_REQUIRE(run_until([&] { return nodes[0].exists("key:redlock-queue"); }));
        BOOST_TEST(!unlock(held));
        BOOST_REQUIRE(run_until([&] { return third.done(); }));
        held = std::move(third.value());
        BOOST_TEST(run_until([&] { return inspect(one).holder && inspect(one).holder_label.empty(); }));
        BOOST_TEST(!unlock(held));
        BOOST_TEST(is_gone());
    }
}

BOOST_AUTO_TEST_CASE(those_who_read_and_write_are_named_and_removed_too) {
    lease reading = lock(one, "key", {.mode = mode::read});
    const auto readers = [&] {
        return inspect(silent).nodes[0].readers.value_or(std::vector<reader_report>());
    };
    BOOST_REQUIRE(run_until([&] { return readers().size() == 1; }));
    BOOST_TEST(readers()[0].label == "web-1");
    BOOST_TEST(!unlock(reading));
    BOOST_TEST(is_gone("key:redlock-readers"));

    lease writing = lock(other, "key", {.mode = mode::write});
    BOOST_TEST(is_on_all(":web-2: the second"));
    const auto [refused] = run(writing.async_downgrade(asio::as_tuple(asio::use_awaitable)));
    BOOST_TEST(!refused);
    BOOST_REQUIRE(run_until([&] { return readers().size() == 1; }));
    BOOST_TEST(readers()[0].label == "web-2: the second");
    run(silent.async_break(inspect(silent), asio::use_awaitable));
    BOOST_TEST(is_gone("key:redlock-readers"));
}

BOOST_AUTO_TEST_CASE(many_locks_with_a_label_are_given_back_and_renewed_together) {
    std::vector<lease> held;
    for (int i = 0; i < 60; ++i)
        one.async_lock("key" + std::to_string(i), {.ttl = 1500ms}, [&](error_code ec, lease l) {
            if (!ec) held.push_back(std::move(l));
        });
    BOOST_REQUIRE(run_until([&] { return held.size() == 60; }));
    BOOST_TEST(run_until([&] { return one.metrics().renewals >= 120; }));
    BOOST_TEST(is_on_all("::web-1", "key7"));
    for (const lease& each : held)
        BOOST_TEST(each.valid());
    held.clear();
    for (int i = 0; i < 60; ++i)
        BOOST_TEST(is_gone("key" + std::to_string(i)));
    BOOST_TEST(one.metrics().lost_by_majority == 0u);
}

BOOST_AUTO_TEST_CASE(a_label_that_is_too_long_or_steers_terminals_is_refused) {
    for (const std::string& wrong : {std::string(65, 'x'), std::string("a\nb"), std::string("\x1b[2J")})
        BOOST_CHECK_EXCEPTION(labelled(wrong), std::system_error, [](const std::system_error& e) {
            return e.code() == errc::invalid_option &&
                   std::string_view(e.what()).find("holder_label") != std::string_view::npos;
        });
    client longest = labelled(std::string(64, 'x'));
    BOOST_TEST(!try_lock(longest, "other"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
