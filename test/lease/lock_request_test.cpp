#include "engines/redis/dialect/server_error.hpp"
#include "lease/lock_request.hpp"
#include "support/any_token.hpp"

#include <redlock/client.hpp>

#include <boost/test/unit_test.hpp>

#include <set>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace redlock;
using namespace redlock::lock;
using namespace std::chrono_literals;

namespace {

constexpr core::drift_allowance drift;
constexpr std::chrono::milliseconds two_to_53{std::int64_t{1} << 53};

bool accepted(const lock_options& o) { return check_options(o, drift) == errc{}; }

} // namespace

BOOST_AUTO_TEST_SUITE(checks_of_a_request)

BOOST_AUTO_TEST_CASE(keys_have_a_length) {
    BOOST_TEST((check_key("", 0) == errc::invalid_key));
    BOOST_TEST((check_key("k", 0) == errc{}));
    BOOST_TEST((check_key(std::string(max_key_size, 'k'), 0) == errc{}));
    BOOST_TEST((check_key(std::string(max_key_size, 'k'), 1) == errc::invalid_key));
    BOOST_TEST((check_key(std::string("\0\r\n", 3), 0) == errc{}));
}

BOOST_AUTO_TEST_CASE(the_message_names_each_cause_of_an_invalid_key) {
    for (const char* key : {"k:redlock-fence", "k:redlock-queue", "k:redlock-readers", "k:redlock-leader"})
        BOOST_TEST((check_key(key, 0) == errc::invalid_key));
    const std::string message = make_error_code(errc::invalid_key).message();
    for (const char* cause : {"empty", "4096 bytes", "\":redlock-fence\"", "\":redlock-queue\"",
                              "\":redlock-readers\"", "\":redlock-leader\"", "config::key_prefix"})
        BOOST_TEST(message.find(cause) != message.npos, message << " says nothing of " << cause);
}

BOOST_AUTO_TEST_CASE(a_ttl_leaves_room_for_drift_and_margin) {
    BOOST_TEST(accepted({.ttl = 10ms}));
    BOOST_TEST(accepted({.ttl = two_to_53}));
    BOOST_TEST(!accepted({.ttl = 0ms}));
    BOOST_TEST(!accepted({.ttl = -1ms}));
    BOOST_TEST(!accepted({.ttl = 2ms}));
    BOOST_TEST(accepted({.ttl = 3ms}));
    BOOST_TEST(!accepted({.ttl = two_to_53 + 1ms}));
    BOOST_TEST(!accepted({.ttl = forever}));
    BOOST_TEST(!accepted({.ttl = std::chrono::milliseconds::min()}));
    BOOST_TEST(!accepted({.ttl = two_to_53, .lock_delay = 1ms}));
    BOOST_TEST(!accepted({.lock_delay = forever}));
    BOOST_TEST(!accepted({.lock_delay = -1ms}));
}

BOOST_AUTO_TEST_CASE(the_other_durations_have_limits_too) {
    BOOST_TEST(accepted({.wait = 0ms}));
    BOOST_TEST(accepted({.wait = forever}));
    BOOST_TEST(!accepted({.wait = -1ms}));
    BOOST_TEST(!accepted({.max_hold = 0ms}));
    BOOST_TEST(accepted({.ttl = 1s, .stop_margin = 0ms}));
    BOOST_TEST(accepted({.ttl = 1s, .stop_margin = 499ms}));
    BOOST_TEST(!accepted({.ttl = 1s, .stop_margin = 500ms}));
    BOOST_TEST(!accepted({.ttl = 1s, .stop_margin = -2ms}));
}

BOOST_AUTO_TEST_CASE(each_fault_begins_where_it_begins) {
    using fault = option_fault;
    const auto found = [](const lock_options& o, const core::drift_allowance& with = {}) {
        return fault_of(o, with);
    };
    constexpr core::drift_allowance none{.factor = 0, .floor = core::nanoseconds(0)};
    BOOST_TEST((found({.ttl = 1ms}, none) == fault::none));
    BOOST_TEST((found({.ttl = 0ms}, none) == fault::ttl_out_of_range));
    BOOST_TEST((found({.ttl = two_to_53 + 1ms}) == fault::ttl_out_of_range));
    BOOST_TEST((found({.ttl = two_to_53 - 1ms, .lock_delay = 1ms}) == fault::none));
    BOOST_TEST((found({.ttl = two_to_53 - 1ms, .lock_delay = 2ms}) == fault::lock_delay_too_long));
    BOOST_TEST((found({.ttl = 1s, .stop_margin = 500ms}) == fault::stop_margin_too_long));
    BOOST_TEST((found({.lock_delay = -1ms}) == fault::negative_lock_delay));
    BOOST_TEST((found({.wait = -1ms}) == fault::negative_wait));
    BOOST_TEST((found({.max_hold = 0ms}) == fault::no_max_hold));
    BOOST_TEST((found({.max_hold = 1ms}) == fault::none));
    BOOST_TEST((found({.stop_margin = -1ms}) == fault::none));
    BOOST_TEST((found({.stop_margin = -2ms}) == fault::negative_stop_margin));
    // Something must be left between drift and margin.
    BOOST_TEST((found({.ttl = 1s}, {.factor = 0, .floor = 900ms - 1ns}) == fault::ttl_too_short));
    BOOST_TEST((found({.ttl = 1s}, {.factor = 0, .floor = 900ms - 2ns}) == fault::none));
}

BOOST_AUTO_TEST_CASE(terms_keep_the_key_for_the_delay_and_the_lease_without_it) {
    const lock_terms terms = terms_of({.ttl = 1s, .lock_delay = 500ms}, drift);
    BOOST_TEST((terms.life == 1500ms));
    BOOST_TEST((terms.lease.ttl == 1s));
    BOOST_TEST((terms.lease.stop_margin == 100ms));
    BOOST_TEST((terms.wait == core::nanoseconds::max()));
    BOOST_TEST((terms.lock_delay == 500ms && terms.stop_margin == -1ms));
    BOOST_TEST((terms.lease.renew && !terms.fencing));
    BOOST_TEST((stop_margin_of(1s, 0ms) == 0ms));
    BOOST_TEST((stop_margin_of(1s, 250ms) == 250ms));
    BOOST_TEST((stop_margin_of(1s, -1ms) == 100ms));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(server_errors_mean_what_they_say) {
    BOOST_TEST((redis::meaning_of_server_error("WRONGTYPE Operation against a key") == errc::wrong_type));
    BOOST_TEST((redis::meaning_of_server_error("OOM command not allowed") == errc::out_of_memory));
    BOOST_TEST((redis::meaning_of_server_error("READONLY You can't write") == errc::read_only));
    BOOST_TEST((redis::meaning_of_server_error("NOPERM this user") == errc::permission_denied));
    BOOST_TEST((redis::meaning_of_server_error("ERR The user executing the script can't run this command or "
                                               "subcommand script: 7688, on @user_script:1.") ==
                errc::permission_denied));
    BOOST_TEST((redis::meaning_of_server_error("ERR ACL failure in script: User u has no permissions to run "
                                               "the 'zadd' command script: 7688, on @user_script:1.") ==
                errc::permission_denied));
    BOOST_TEST(
        (redis::meaning_of_server_error("ERR user_script:1: WRONGTYPE Operation") == errc::wrong_type));
    BOOST_TEST((redis::meaning_of_server_error("ERR something else") == errc::server_error));
    BOOST_TEST((redis::meaning_of_server_error("") == errc::server_error));
}

BOOST_AUTO_TEST_SUITE(tokens)

BOOST_AUTO_TEST_CASE(no_two_are_alike) {
    std::set<std::string> seen;
    for (int i = 0; i < 10'000; ++i)
        seen.emplace(test::any_token().text());
    BOOST_TEST(seen.size() == 10'000U);
}

BOOST_AUTO_TEST_CASE(a_forked_child_does_not_repeat_its_parent) {
    std::ignore = test::any_token(); // some are in stock now
    int ends[2];
    BOOST_REQUIRE(::pipe(ends) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const core::lock_token token = test::any_token();
        const ssize_t written = ::write(ends[1], token.text().data(), token.text().size());
        ::_exit(written == ssize_t{core::lock_token::size} ? 0 : 1);
    }
    std::string childs(core::lock_token::size, '\0');
    BOOST_REQUIRE(::read(ends[0], childs.data(), childs.size()) == ssize_t{core::lock_token::size});
    int status = 0;
    BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
    BOOST_TEST(status == 0);
    BOOST_TEST(std::string(test::any_token().text()) != childs);
    ::close(ends[0]);
    ::close(ends[1]);
}

BOOST_AUTO_TEST_SUITE_END()
