// What the interface for C refuses, and what it says of that.

#include "c/c_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <string>
#include <thread>

namespace redlock::test {

BOOST_FIXTURE_TEST_SUITE(refusals, c_fixture)

BOOST_AUTO_TEST_CASE(each_option_out_of_its_limits_is_named) {
    const auto refused = [&](auto redlock_lock_options::*member, auto value, const char* named) {
        redlock_lock_options o = options();
        o.*member = value;
        redlock_lease* none = nullptr;
        BOOST_TEST(redlock_lock(locks.get(), "key", &o, &none) == REDLOCK_INVALID_OPTION);
        BOOST_TEST(last_error_has(named), named << " is not in: " << redlock_last_error());
    };
    refused(&redlock_lock_options::ttl, int64_t(0), "ttl");
    refused(&redlock_lock_options::ttl, std::numeric_limits<int64_t>::max(), "ttl");
    refused(&redlock_lock_options::ttl, std::numeric_limits<int64_t>::min(), "ttl");
    refused(&redlock_lock_options::wait, int64_t(-2), "wait");
    refused(&redlock_lock_options::max_hold, int64_t(0), "max_hold");
    refused(&redlock_lock_options::stop_margin, int64_t(10'000), "stop_margin");
    refused(&redlock_lock_options::lock_delay, int64_t(-1), "lock_delay");
    refused(&redlock_lock_options::keep, int64_t(-1), "keep");
    refused(&redlock_lock_options::permits, uint32_t(0), "permits");
}

BOOST_AUTO_TEST_CASE(settings_out_of_their_limits_are_named_when_a_client_opens) {
    const auto opened = [&](const settings_pointer& s) {
        redlock_client* none = locks.get();
        const redlock_status status = redlock_open(s.get(), &none);
        BOOST_TEST(!none);
        return status;
    };
    BOOST_TEST(opened(settings_for("redis://host:port")) == REDLOCK_INVALID_ADDRESS);
    BOOST_TEST(last_error_has("port"), redlock_last_error());
    BOOST_TEST(opened(settings_pointer(redlock_settings_create())) != REDLOCK_OK);
    settings_pointer s = settings_for("redis://127.0.0.1:1");
    redlock_settings_add_node(s.get(), "redis://127.0.0.1:1");
    BOOST_TEST(opened(s) == REDLOCK_DUPLICATE_NODE);
    s = settings_for("redis://127.0.0.1:1");
    redlock_settings_set_node_timeout(s.get(), -1);
    BOOST_TEST(opened(s) == REDLOCK_INVALID_OPTION);
    BOOST_TEST(last_error_has("node_timeout"));
    s = settings_for("redis://127.0.0.1:1");
    redlock_settings_set_restart_guard(s.get(), -1);
    BOOST_TEST(opened(s) == REDLOCK_INVALID_OPTION);
    BOOST_TEST(last_error_has("restart_guard"));
    s = settings_for("redis://127.0.0.1:1");
    redlock_settings_set_holder_label(s.get(), std::string(4096, 'x').c_str());
    BOOST_TEST(opened(s) == REDLOCK_INVALID_OPTION);
    BOOST_TEST(last_error_has("holder_label"));
    s = settings_for("redis://127.0.0.1:1");
    redlock_settings_set_backup(s.get(), "redis://127.0.0.1:2");
    BOOST_TEST(opened(s) == REDLOCK_INVALID_OPTION);
    BOOST_TEST(last_error_has("config::backup"));
}

BOOST_AUTO_TEST_CASE(null_is_refused_by_name_or_taken_for_nothing) {
    redlock_lease* lease = nullptr;
    const auto refused = [](redlock_status status, const char* named) {
        BOOST_TEST(status == REDLOCK_INVALID_ARGUMENT);
        BOOST_TEST(last_error_has(named), named << " is not in: " << redlock_last_error());
    };
    refused(redlock_lock(nullptr, "key", nullptr, &lease), "client");
    refused(redlock_lock(locks.get(), nullptr, nullptr, &lease), "key");
    refused(redlock_lock(locks.get(), "key", nullptr, nullptr), "lease");
    refused(redlock_extend(nullptr, 1), "lease");
    refused(redlock_unlock(nullptr), "lease");
    refused(redlock_open(settings_for("memory://a").get(), nullptr), "client");
    redlock_client* none = nullptr;
    refused(redlock_open(nullptr, &none), "settings");
    refused(redlock_settings_add_node(nullptr, "memory://a"), "settings");
    refused(redlock_settings_add_node(settings_for("memory://a").get(), nullptr), "address");
    refused(redlock_settings_set_credentials(settings_for("memory://a").get(), "user", nullptr), "password");
    refused(redlock_lock_options_init(nullptr, sizeof(redlock_lock_options)), "options");
    redlock_lock_options o = options();
    refused(redlock_lock_options_init(&o, sizeof o - 1), "size");
    o.size = 0;
    refused(redlock_lock(locks.get(), "key", &o, &lease), "size");
    o = options();
    o.mode = 3;
    refused(redlock_lock(locks.get(), "key", &o, &lease), "mode");
    BOOST_TEST(redlock_valid(nullptr) == 0);
    BOOST_TEST(redlock_remaining(nullptr) == 0);
    BOOST_TEST(redlock_fencing_token(nullptr) == 0u);
    BOOST_TEST(redlock_slot(nullptr) == 0u);
    redlock_lease_destroy(nullptr);
    redlock_stop_request(nullptr);
    redlock_stop_destroy(nullptr);
    redlock_close(nullptr);
    redlock_settings_destroy(nullptr);
}

BOOST_AUTO_TEST_CASE(the_last_error_is_that_of_the_thread) {
    redlock_unlock(nullptr);
    BOOST_TEST(last_error_has("lease"));
    std::string text = "not asked";
    std::thread([&] { text = redlock_last_error(); }).join();
    BOOST_TEST(text.empty());
    BOOST_TEST(last_error_has("lease"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
