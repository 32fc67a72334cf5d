// What is set through the interface for C arrives at real nodes.

#include "c/c_fixture.hpp"
#include "support/eventually.hpp"
#include "support/node_set.hpp"

#ifdef REDLOCK_TLS
#include "tls/tls_nodes.hpp"
#endif

#include <redlock/testing.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace redlock::test {
namespace {

redlock_status open_into(client_pointer& locks, const settings_pointer& s) {
    redlock_client* opened = nullptr;
    const redlock_status status = redlock_open(s.get(), &opened);
    locks.reset(opened);
    return status;
}

settings_pointer patient_settings_for(const node_set& nodes) {
    settings_pointer s = settings_for(nodes.uris().at(0));
    BOOST_TEST(redlock_settings_set_node_timeout(s.get(), 10'000) == REDLOCK_OK);
    return s;
}

redlock_lock_options patient() {
    redlock_lock_options o = options();
    o.wait = 60'000;
    return o;
}

struct c_node_fixture {
    settings_pointer settings() { return patient_settings_for(nodes); }

    node_set nodes{1};
    client_pointer locks;
};

BOOST_FIXTURE_TEST_SUITE(settings, c_node_fixture)

BOOST_AUTO_TEST_CASE(names_and_credentials_arrive_at_the_node) {
    nodes[0].command({"CONFIG", "SET", "requirepass", "secret"});
    const settings_pointer s = settings();
    BOOST_TEST(redlock_settings_set_credentials(s.get(), nullptr, "secret") == REDLOCK_OK);
    BOOST_TEST(redlock_settings_set_key_prefix(s.get(), "shop:") == REDLOCK_OK);
    BOOST_TEST(redlock_settings_set_client_name(s.get(), "till") == REDLOCK_OK);
    BOOST_TEST(redlock_settings_set_holder_label(s.get(), "till 7") == REDLOCK_OK);
    BOOST_TEST(redlock_settings_set_configure_servers(s.get(), 1) == REDLOCK_OK);
    BOOST_REQUIRE(open_into(locks, s) == REDLOCK_OK);
    const redlock_lock_options o = patient();
    redlock_lease* lease = nullptr;
    BOOST_REQUIRE(redlock_lock(locks.get(), "key", &o, &lease) == REDLOCK_OK);
    BOOST_TEST(nodes[0].get("shop:key").value_or("").find("till 7") != std::string::npos);
    BOOST_TEST(nodes[0].command({"CLIENT", "LIST"}).text.find("name=till") != std::string::npos);
    BOOST_TEST(eventually([&] {
        return !nodes[0].command({"CONFIG", "GET", "notify-keyspace-events"}).elements.at(1).text.empty();
    }));
    BOOST_TEST(redlock_unlock(lease) == REDLOCK_OK);
    BOOST_TEST(!nodes[0].exists("shop:key"));
}

BOOST_AUTO_TEST_CASE(a_backup_has_the_key_as_well) {
    const settings_pointer s = settings();
    BOOST_TEST(redlock_settings_set_backup(s.get(), "memory://backup-of-c") == REDLOCK_OK);
    BOOST_REQUIRE(open_into(locks, s) == REDLOCK_OK);
    const testing::memory_handle backup("backup-of-c");
    const redlock_lock_options o = patient();
    redlock_lease* lease = nullptr;
    BOOST_REQUIRE(redlock_lock(locks.get(), "key", &o, &lease) == REDLOCK_OK);
    BOOST_TEST(nodes[0].exists("key"));
    BOOST_TEST(backup.is_held("key"));
    BOOST_TEST(redlock_unlock(lease) == REDLOCK_OK);
    BOOST_TEST(eventually([&] { return !backup.is_held("key") && !nodes[0].exists("key"); }));
}

BOOST_AUTO_TEST_CASE(a_wrong_password_is_said_and_not_shown) {
    nodes[0].command({"CONFIG", "SET", "requirepass", "secret"});
    const settings_pointer s = settings();
    BOOST_TEST(redlock_settings_set_credentials(s.get(), "default", "hunter2") == REDLOCK_OK);
    BOOST_REQUIRE(open_into(locks, s) == REDLOCK_OK);
    redlock_lease* lease = nullptr;
    BOOST_TEST(redlock_lock(locks.get(), "key", nullptr, &lease) == REDLOCK_AUTHENTICATION_FAILED);
    BOOST_TEST(!last_error_has("hunter2"));
}

BOOST_AUTO_TEST_CASE(a_child_that_was_forked_has_nothing_and_takes_nothing_away) {
    BOOST_REQUIRE(open_into(locks, settings()) == REDLOCK_OK);
    const redlock_lock_options o = patient();
    redlock_lease* held = nullptr;
    BOOST_REQUIRE(redlock_lock(locks.get(), "key", &o, &held) == REDLOCK_OK);
    const int child = ::fork();
    BOOST_REQUIRE(child >= 0);
    if (child == 0) {
        redlock_lease* other = nullptr;
        int faults = redlock_valid(held);
        faults += redlock_lock(locks.get(), "other", &o, &other) == REDLOCK_CLOSED ? 0 : 2;
        faults += redlock_unlock(held) == REDLOCK_CLOSED ? 0 : 4;
        locks.reset();
        ::_exit(faults);
    }
    int status = -1;
    BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
    BOOST_TEST(status == 0);
    BOOST_TEST(redlock_valid(held) == 1);
    BOOST_TEST(nodes[0].exists("key"));
    BOOST_TEST(redlock_unlock(held) == REDLOCK_OK);
}

BOOST_AUTO_TEST_SUITE_END()

#ifdef REDLOCK_TLS
struct c_tls_fixture {
    settings_pointer settings() { return patient_settings_for(nodes); }
    redlock_status lock_with(const settings_pointer& s) {
        client_pointer locks;
        BOOST_TEST(open_into(locks, s) == REDLOCK_OK);
        const redlock_lock_options o = patient();
        redlock_lease* lease = nullptr;
        const redlock_status status = redlock_lock(locks.get(), "key", &o, &lease);
        redlock_lease_destroy(lease);
        return status;
    }

    node_set nodes{1, with_tls({}, true)};
    const certificate_files own = trusted_authority().sign({});
};

BOOST_FIXTURE_TEST_SUITE(tls_settings, c_tls_fixture)

BOOST_AUTO_TEST_CASE(files_and_names_are_those_that_are_used) {
    const settings_pointer s = settings();
    BOOST_TEST(redlock_settings_set_tls_files(s.get(), trusted_authority().file().c_str(),
                                              own.certificate.c_str(), own.key.c_str()) == REDLOCK_OK);
    BOOST_TEST(lock_with(s) == REDLOCK_OK);
    BOOST_TEST(redlock_settings_set_tls_server_name(s.get(), "another.invalid") == REDLOCK_OK);
    BOOST_TEST(lock_with(s) == REDLOCK_TLS_FAILED);
    BOOST_TEST(last_error_has("another.invalid"), redlock_last_error());
    BOOST_TEST(redlock_settings_set_tls_verify(s.get(), 0) == REDLOCK_OK);
    BOOST_TEST(lock_with(s) == REDLOCK_OK);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_not_there_is_named) {
    const settings_pointer s = settings();
    BOOST_TEST(redlock_settings_set_tls_files(s.get(), "/nowhere/ca.pem", nullptr, nullptr) == REDLOCK_OK);
    client_pointer none;
    BOOST_TEST(open_into(none, s) == REDLOCK_INVALID_OPTION);
    BOOST_TEST(last_error_has("/nowhere/ca.pem"), redlock_last_error());
}

BOOST_AUTO_TEST_SUITE_END()
#endif

} // namespace
} // namespace redlock::test
