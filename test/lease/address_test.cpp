#include "lease_fixture.hpp"

#include <system_error>

namespace redlock::test {
namespace {

struct address_test_fixture : event_loop {
    std::error_code refusal(std::vector<std::string> nodes) {
        config c;
        c.nodes = std::move(nodes);
        try {
            client locks(context.get_executor(), c);
            return {};
        } catch (const std::system_error& e) {
            return e.code();
        }
    }
    static std::error_code refusal_of_handle(const std::string& name) {
        try {
            testing::memory_handle handle(name);
            return {};
        } catch (const std::system_error& e) {
            return e.code();
        }
    }
};

const std::string longest_name(64, 'n');

BOOST_FIXTURE_TEST_SUITE(memory_address_suite, address_test_fixture)

BOOST_AUTO_TEST_CASE(a_name_is_made_of_letters_digits_dots_hyphens_and_underscores) {
    for (const std::string& name : {std::string("a"), std::string("Az09.-_"), longest_name}) {
        BOOST_TEST(!refusal({"memory://" + name}));
        BOOST_TEST(!refusal_of_handle(name));
    }
    for (const std::string& name : {std::string(), std::string("a/b"), std::string("a b"),
                                    std::string("\xc3\xa4"), std::string("a\0", 2), longest_name + "n"}) {
        BOOST_TEST((refusal({"memory://" + name}) == errc::invalid_uri));
        BOOST_TEST((refusal_of_handle(name) == errc::invalid_uri));
    }
}

BOOST_AUTO_TEST_CASE(an_engine_in_memory_stands_alone) {
    BOOST_TEST((refusal({"memory://a", "memory://b"}) == errc::invalid_option));
    BOOST_TEST((refusal({"memory://a", "redis://127.0.0.1:1"}) == errc::invalid_option));
    BOOST_TEST((refusal({"redis://127.0.0.1:1", "memory://a"}) == errc::invalid_option));
}

BOOST_AUTO_TEST_CASE(engines_of_other_names_have_other_keys) {
    const testing::memory_handle a("a"), also_a("a"), b("b");
    testing::memory_handle(a).hold("key", 1h);
    BOOST_TEST(also_a.is_held("key"));
    BOOST_TEST(!b.is_held("key"));
}

BOOST_AUTO_TEST_CASE(an_engine_that_nobody_refers_to_is_forgotten) {
    testing::memory_handle("forgotten").hold("key", 1h);
    BOOST_TEST(!testing::memory_handle("forgotten").is_held("key"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
