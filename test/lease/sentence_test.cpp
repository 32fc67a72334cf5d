// What the failures of calls say, without a node that has anything to add.

#include "lease_fixture.hpp"

#include <redlock/leadership.hpp>
#include <redlock/lease_set.hpp>
#include <redlock/owner.hpp>
#include <redlock/with_diagnostics.hpp>

#include <exception>
#include <string>

namespace redlock::test {
namespace {

struct sentence_fixture : lease_fixture {
    /// Takes down what it is told, for `heard`.
    auto into(std::string& text) {
        text.clear();
        return with_diagnostics([&text](std::exception_ptr thrown, auto...) {
            try {
                if (thrown) std::rethrow_exception(thrown);
                text = "no failure";
            } catch (const error_with_diagnostics& e) {
                text = e.what();
            } catch (const boost::system::system_error& e) {
                text = "without a sentence: " + e.code().message();
            }
        });
    }
    const std::string& heard(const std::string& text) {
        BOOST_TEST(run_until([&] { return !text.empty(); }));
        return text;
    }
    std::string of_check(const std::string& key) {
        std::string text;
        locks.async_check(key, 7, into(text));
        return heard(text);
    }
    std::string of_inspection(const std::string& key) {
        std::string text;
        locks.async_inspect(key, into(text));
        return heard(text);
    }
    std::string of_break(const std::string& full_key) {
        key_report shown;
        shown.key = full_key;
        std::string text;
        locks.async_break(shown, into(text));
        return heard(text);
    }
    std::string of_examination() {
        std::string text;
        locks.async_examine(into(text));
        return heard(text);
    }
    std::string of_unlock(lease& held) {
        std::string text;
        held.async_unlock(into(text));
        return heard(text);
    }
    std::string of_extension(lease& held, std::chrono::milliseconds ttl) {
        std::string text;
        held.async_extend(ttl, into(text));
        return heard(text);
    }
    std::string of_lock(lock_options options) {
        std::string text;
        locks.async_lock("key", options, into(text));
        return heard(text);
    }
    std::string of_set(lock_options options) {
        std::string text;
        locks.async_lock_all({"key"}, options, into(text));
        return heard(text);
    }
    std::string of_campaign(lock_options options, const std::string& value = "me") {
        std::string text;
        locks.async_campaign("key", value, options, into(text));
        return heard(text);
    }

    client locks = make_client();
};

BOOST_FIXTURE_TEST_SUITE(sentence_suite, sentence_fixture, *boost::unit_test::precondition(engine_in_hand))

BOOST_AUTO_TEST_CASE(of_a_question_that_cannot_be_asked) {
    BOOST_TEST(of_check("") == "a key must not be empty");
    BOOST_TEST(of_inspection("") == "a key must not be empty");
    BOOST_TEST(of_break(prefix) == "a key must not be empty");
    BOOST_TEST(of_break("elsewhere") ==
               "the key \"elsewhere\" of the report given to async_break does not begin with \"" + prefix +
                   "\" (config::key_prefix)");
    close(locks);
    BOOST_TEST(of_check("key") == "the client is closed and checks no lock \"key\"");
    BOOST_TEST(of_inspection("key") == "the client is closed and inspects no lock \"key\"");
    BOOST_TEST(of_break(prefix + "key") == "the client is closed and breaks no lock \"" + prefix + "key\"");
    BOOST_TEST(of_examination() == "the client is closed and examines no node");
}

BOOST_AUTO_TEST_CASE(of_an_answer) {
    BOOST_TEST(of_check("key") == "the lock \"key\" is not held with the fencing token 7 any more");
    hand->fail_next(1, errc::node_timeout);
    BOOST_TEST(of_check("key") == make_error_code(errc::node_timeout).message());
    BOOST_TEST(of_break(prefix + "key") == "the report given to async_break, of the key \"" + prefix +
                                               "key\", is not one on the nodes of this client");
    BOOST_TEST(of_inspection("key") == "no failure");
}

BOOST_AUTO_TEST_CASE(of_a_lease_that_is_over) {
    lease held = lock(locks);
    BOOST_TEST(of_extension(held, 0ms) == "the ttl of async_extend must be 1 ms to 2^53 ms, not 0 ms");
    lease lost = lock(locks, "lost");
    BOOST_TEST(lose("lost"));
    BOOST_TEST(of_extension(lost, long_ttl) ==
               "the lease of the lock \"lost\" is over and cannot be extended: it was lost, or unlocked");
    BOOST_TEST(of_unlock(lost) == "the lease of the lock \"lost\" had been lost, or unlocked before");
    close(locks);
    BOOST_TEST(of_unlock(held) ==
               "the client was closed, and the lease of the lock \"key\" has ended with it");
}

BOOST_AUTO_TEST_CASE(of_a_key_that_cannot_be_taken_so) {
    lock_options reading = once();
    reading.mode = mode::read;
    reading.permits = 2;
    BOOST_TEST(of_lock(reading) == "lock_options::mode needs lock_options::permits to be 1");
    reading.permits = 1;
    reading.ttl = 0ms;
    BOOST_TEST(of_lock(reading).starts_with("lock_options::ttl must be "));
}

BOOST_AUTO_TEST_CASE(of_several_keys_that_cannot_be_taken_so) {
    for (const unsigned permits : {0u, 2u})
        BOOST_TEST(of_set({.permits = permits}) ==
                   "lock_options::permits must be 1 for a set of keys, not " + std::to_string(permits));
    const owner me;
    BOOST_TEST(of_set({.owner = &me}) == "lock_options::owner cannot be given for a set of keys");
    BOOST_TEST(of_set({.mode = mode::read}) == "lock_options::mode cannot be read for a set of keys");
    BOOST_TEST(of_set({.ttl = 0ms}) == "lock_options::ttl must be 1 ms to 2^53 ms, not 0 ms");
}

BOOST_AUTO_TEST_CASE(of_a_lead_that_cannot_be_taken_so) {
    for (const unsigned permits : {0u, 2u})
        BOOST_TEST(of_campaign({.permits = permits}) ==
                   "lock_options::permits must be 1 to lead, not " + std::to_string(permits));
    const owner me;
    BOOST_TEST(of_campaign({.owner = &me}) == "lock_options::owner cannot be given to lead");
    for (const mode wrong : {mode::read, mode::write})
        BOOST_TEST(of_campaign({.mode = wrong}) == "lock_options::mode must be exclusive to lead");
    BOOST_TEST(of_campaign({.keep = 1s}) ==
               "lock_options::keep must be 0 ms to lead, not 1000 ms: who resigns leaves");
    BOOST_TEST(of_campaign({.ttl = 0ms}) == "lock_options::ttl must be 1 ms to 2^53 ms, not 0 ms");
    BOOST_TEST(!of_campaign({}, std::string(max_leader_value_size + 1, 'v')).empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
