#pragma once

#include <redlock/redlock.h>
#include <redlock/testing.hpp>

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace redlock::test {

struct settings_deleter {
    void operator()(redlock_settings* s) const { redlock_settings_destroy(s); }
};
struct client_deleter {
    void operator()(redlock_client* c) const { redlock_close(c); }
};

using settings_pointer = std::unique_ptr<redlock_settings, settings_deleter>;
using client_pointer = std::unique_ptr<redlock_client, client_deleter>;

inline bool last_error_has(std::string_view text) {
    return std::string_view(redlock_last_error()).find(text) != std::string_view::npos;
}

inline settings_pointer settings_for(const std::string& node) {
    settings_pointer s(redlock_settings_create());
    BOOST_TEST(redlock_settings_add_node(s.get(), node.c_str()) == REDLOCK_OK);
    return s;
}

inline redlock_lock_options options() {
    redlock_lock_options o;
    BOOST_TEST(redlock_lock_options_init(&o, sizeof o) == REDLOCK_OK);
    return o;
}

/// A client of the engine in memory.
struct c_fixture {
    client_pointer another() const {
        redlock_client* opened = nullptr;
        BOOST_TEST(redlock_open(settings_for("memory://" + name).get(), &opened) == REDLOCK_OK);
        return client_pointer(opened);
    }
    redlock_lease* lock(const char* key, const redlock_lock_options* how = nullptr) const {
        redlock_lease* granted = nullptr;
        BOOST_TEST(redlock_lock(locks.get(), key, how, &granted) == REDLOCK_OK);
        return granted;
    }

    const std::string name = boost::unit_test::framework::current_test_case().p_name;
    testing::memory_handle store{name};
    client_pointer locks = another();
};

} // namespace redlock::test
