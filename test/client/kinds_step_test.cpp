// Calls for locks of every kind that are given up after any number of handlers, on real nodes.

#include "read_write_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

namespace asio = boost::asio;
namespace data = boost::unit_test::data;

enum class wanted_kind { reading, writing, fenced_writing, permit, owned, kept, set, set_to_write };
constexpr wanted_kind wanted_kinds[] = {
    wanted_kind::reading, wanted_kind::writing,     wanted_kind::fenced_writing,
    wanted_kind::permit,  wanted_kind::owned,       wanted_kind::kept,
    wanted_kind::set,     wanted_kind::set_to_write};
std::ostream& operator<<(std::ostream& out, wanted_kind k) { return out << "kind " << static_cast<int>(k); }

const std::vector<std::string> keys_of_set{"before", "key", "later"};

struct kinds_step_fixture : read_write_fixture {
    lock_options options_of(wanted_kind k) const {
        lock_options options = patiently();
        if (k == wanted_kind::reading) options.mode = mode::read;
        if (k == wanted_kind::writing || k == wanted_kind::fenced_writing || k == wanted_kind::set_to_write)
            options.mode = mode::write;
        options.fencing = k == wanted_kind::fenced_writing;
        if (k == wanted_kind::permit) options.permits = 2;
        if (k == wanted_kind::owned) options.owner = &me;
        if (k == wanted_kind::kept) options.keep = 20ms;
        return options;
    }
    /// What keeps it out: of a permit both, of those who write one who reads.
    std::vector<lease> opponents_of(wanted_kind k) {
        std::vector<lease> all;
        lock_options options = options_of(k);
        if (k == wanted_kind::reading)
            options.mode = mode::write;
        else if (options.mode == mode::write)
            options.mode = mode::read;
        options.keep = 0ms;
        options.owner = nullptr;
        for (unsigned i = 0; i < options.permits; ++i)
            all.push_back(lock(second, "key", options));
        return all;
    }
    bool everything_is_free() {
        return run_until([&] {
            std::size_t left = 0;
            for (const char* const key : {"key", "before", "later", "key:0", "key:1", readers_of_key,
                                          "before:redlock-readers", "later:redlock-readers"})
                left += nodes.holders(key);
            return left == 0;
        });
    }

    void give_up_after(int steps, wanted_kind what, bool is_taken) {
        std::vector<lease> in_the_way;
        if (is_taken) in_the_way = opponents_of(what);
        asio::cancellation_signal cancel;
        outcome<lease> one;
        outcome<lease_set> several;
        const bool is_set = what == wanted_kind::set || what == wanted_kind::set_to_write;
        if (is_set)
            first.async_lock_all(keys_of_set, options_of(what),
                                 asio::bind_cancellation_slot(cancel.slot(), several.handler()));
        else
            first.async_lock("key", options_of(what),
                             asio::bind_cancellation_slot(cancel.slot(), one.handler()));
        const auto is_done = [&] { return one.done() || several.done(); };
        // With those who were in the way just gone.
        if (is_taken) settle(3ms);
        in_the_way.clear();
        for (int i = 0; i < steps && !is_done(); ++i)
            context.run_one_for(5ms);
        cancel.emit(asio::cancellation_type::terminal);
        BOOST_REQUIRE(run_until(is_done));
        BOOST_TEST(one.completions() + several.completions() == 1);
        const error_code e = is_set ? several.error() : one.error();
        BOOST_TEST((!e || e == asio::error::operation_aborted), "ended with " << e.message());
        one.drop_values();
        several.drop_values();
        BOOST_TEST(everything_is_free());
    }

    const owner me;
};

BOOST_AUTO_TEST_SUITE(kinds_given_up)

BOOST_DATA_TEST_CASE_F(kinds_step_fixture, what_is_given_up_at_any_time_leaves_nothing,
                       data::make(wanted_kinds) * data::make({false, true}), what, is_taken) {
    BOOST_REQUIRE((becomes_ready(first) && becomes_ready(second)));
    for (const int steps : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 20, 25, 30})
        BOOST_TEST_CONTEXT("after " << steps << " steps") { give_up_after(steps, what, is_taken); }
    BOOST_TEST(run_until([&] { return first.metrics().held == 0 && first.metrics().waiting == 0; }));
}

BOOST_FIXTURE_TEST_CASE(a_set_to_write_waits_for_readers_with_what_stands_before_alone, kinds_step_fixture) {
    BOOST_REQUIRE((becomes_ready(first) && becomes_ready(second)));
    lease reader = lock(second, "key", to_read());
    outcome<lease_set> got;
    first.async_lock_all(keys_of_set, to_write(), got.handler());
    BOOST_REQUIRE(run_until([&] { return nodes.holders("before") == 5 && nodes.holders("key") == 5; }));
    BOOST_TEST(becomes_free("later"));
    BOOST_TEST(!got.done());
    BOOST_TEST(try_lock(second, "later", to_write(once())) == error_code());
    BOOST_TEST(!unlock(reader));
    BOOST_REQUIRE(run_until([&] { return got.done(); }));
    BOOST_TEST(!got.error());
    BOOST_TEST(try_lock(second, "later", to_read(once())) == errc::held);
    got.drop_values();
    BOOST_TEST(everything_is_free());
}

// Whoever stands in the queues of the nodes, and whoever waits in the same process.
BOOST_FIXTURE_TEST_CASE(a_kept_key_is_handed_to_nobody_who_waits, kinds_step_fixture) {
    BOOST_REQUIRE((becomes_ready(first) && becomes_ready(second)));
    lock_options options = patiently();
    options.keep = 1500ms;
    const auto began = std::chrono::steady_clock::now();
    lease held = lock(first, "key", options);
    outcome<lease> here, there;
    first.async_lock("key", patiently(), here.handler());
    second.async_lock("key", patiently(), there.handler());
    settle(100ms);
    BOOST_TEST(!unlock(held));
    BOOST_REQUIRE(run_until([&] { return here.done() || there.done(); }));
    BOOST_TEST((std::chrono::steady_clock::now() - began >= 1500ms));
    auto& next = here.done() ? here : there;
    auto& last = here.done() ? there : here;
    BOOST_TEST((!next.error() && !last.done()));
    BOOST_TEST(!unlock(next.value()));
    BOOST_REQUIRE(run_until([&] { return last.done(); }));
    BOOST_TEST(!unlock(last.value()));
    BOOST_TEST(everything_is_free());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
