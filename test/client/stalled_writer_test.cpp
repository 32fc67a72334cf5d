#include "lock_fixture.hpp"
#include "support/child_process.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

// A holder that loses time while it holds: what it finds when it goes on, and what becomes of what it writes
// then.

namespace redlock::test {
namespace {

using std::chrono::milliseconds;

/// Takes no write with a token below one that it has seen.
struct fenced_resource {
    std::uint64_t highest = 0;

    bool write(std::uint64_t token) {
        if (token < highest) return false;
        highest = token;
        return true;
    }
};

struct stalled_writer_test_fixture : lock_fixture {
    fenced_resource resource;

    child_process start_writer(milliseconds ttl, milliseconds pause) {
        std::vector<std::string> words{REDLOCK_TEST_WRITER, "key", std::to_string(ttl.count()),
                                       std::to_string(pause.count())};
        std::ranges::copy(nodes.uris(), std::back_inserter(words));
        return child_process(words);
    }

    /// Hands the process's next line on to the resource: whether it took the write.
    bool write_of(child_process& writer) {
        const std::string line = writer.read_line(patience).value_or("nothing");
        BOOST_REQUIRE_MESSAGE(line.starts_with("write "), line);
        return resource.write(std::stoull(line.substr(6)));
    }

    /// Takes the key over, and writes.
    lease write_as_the_next(client& locks) {
        lock_options options;
        options.ttl = long_ttl;
        options.fencing = true;
        lease held = lock(locks, "key", options);
        BOOST_TEST(resource.write(held.fencing_token().value()));
        return held;
    }
};

BOOST_FIXTURE_TEST_SUITE(stalled_writer, stalled_writer_test_fixture)

BOOST_AUTO_TEST_CASE(a_writer_that_loses_no_time_keeps_its_lease) {
    child_process writer = start_writer(1s, 2s);
    BOOST_TEST(write_of(writer));
    BOOST_TEST(writer.read_line(patience).value_or("") == "valid 1 stop 0");
    BOOST_TEST(write_of(writer));
}

// SIGSTOP. When the process goes on, both the wait of its own and the end of its lease are over.
BOOST_AUTO_TEST_CASE(a_writer_that_was_stopped_knows_before_it_writes_and_is_rejected) {
    client locks(context.get_executor(), settings());
    child_process writer = start_writer(1s, 2s);
    BOOST_TEST(write_of(writer));
    writer.stop();
    const auto stopped = std::chrono::steady_clock::now();
    const lease held = write_as_the_next(locks);
    run_until(3s, [&] { return std::chrono::steady_clock::now() - stopped > 2500ms; });
    writer.resume();
    BOOST_TEST(writer.read_line(patience).value_or("") == "valid 0 stop 1");
    BOOST_TEST(!write_of(writer));
    BOOST_TEST(held.valid());
}

// The lease clock is ahead, as after a suspend, while timers of the steady clock have not moved; see
// suspend.hpp. What happened on the nodes during that hour is done by hand.
BOOST_AUTO_TEST_CASE(a_writer_whose_machine_was_suspended_knows_before_it_writes_and_is_rejected) {
    client locks(context.get_executor(), settings());
    child_process writer = start_writer(60s, 0ms);
    BOOST_TEST(write_of(writer));
    for (auto& node : nodes)
        node.command({"DEL", "key"});
    const lease held = write_as_the_next(locks);
    writer.write_line(std::to_string(milliseconds(1h).count()));
    BOOST_TEST(writer.read_line(patience).value_or("") == "valid 0 stop 1");
    BOOST_TEST(!write_of(writer));
    BOOST_TEST(held.valid());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
