#include "engines/redis/node/reply_tag.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>

namespace redlock::test {
namespace {

using node::reply_tag;

enum class tagged_kind : std::uint8_t { first, last = 255 };
enum class tagged_form : std::uint8_t { usual, odd = 255 };

BOOST_AUTO_TEST_SUITE(reply_tags)

BOOST_AUTO_TEST_CASE(what_goes_in_comes_out) {
    constexpr reply_tag tag = reply_tag::of(255, tagged_kind::last).in_form(tagged_form::odd);
    static_assert(tag.node() == 255 && tag.kind<tagged_kind>() == tagged_kind::last);
    static_assert(tag.form<tagged_form>() == tagged_form::odd);
    constexpr reply_tag most = reply_tag::of(0, 0xffffu);
    static_assert(most.node() == 0 && most.kind() == 0xffff && most.form() == 0);
    static_assert(reply_tag::of(62) == reply_tag::of(62, tagged_kind::first));
    static_assert(reply_tag{} == reply_tag::of(0));
    for (std::uint32_t node = 0; node < 256; ++node)
        for (const std::uint32_t kind : {0u, 1u, 255u, 256u, 65'535u})
            for (std::uint32_t form = 0; form < 256; ++form) {
                const reply_tag other = reply_tag::of(node, kind).in_form(form);
                BOOST_REQUIRE((other.node() == node && other.kind() == kind && other.form() == form));
            }
}

BOOST_AUTO_TEST_CASE(another_form_leaves_the_rest_as_it_is) {
    constexpr reply_tag tag = reply_tag::of(7, 300u).in_form(255u).in_form(1u);
    static_assert(tag.node() == 7 && tag.kind() == 300 && tag.form() == 1);
    static_assert(tag.in_form(tagged_form::usual) == reply_tag::of(7, 300u));
}

BOOST_AUTO_TEST_CASE(a_node_makes_a_shared_tag_its_own) {
    constexpr reply_tag shared = reply_tag::of(0, 300u).in_form(3u);
    static_assert(shared.for_node(62) == reply_tag::of(62, 300u).in_form(3u));
}

BOOST_AUTO_TEST_CASE(who_only_counts_gets_the_number_back) {
    static_assert(reply_tag::numbered(0xffff'ffff).number() == 0xffff'ffff);
    static_assert(reply_tag::numbered(0x1234'5678).number() == 0x1234'5678);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
