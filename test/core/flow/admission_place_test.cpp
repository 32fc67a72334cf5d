#include "core/flow/admission_fixture.hpp"
#include "core/flow/admission_place.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>

namespace redlock::test::admission {

namespace {

struct guest final : core::admission_place {
    using core::admission_place::admission_place;
    void let_in() noexcept override { ++times_let_in; }
    int times_let_in = 0;
};

struct place_of_admission {
    admission_window window{1, time_of_round};
    guest first{window}, second{window}, third{window};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(place_in_admission_window, place_of_admission)

BOOST_AUTO_TEST_CASE(whoever_has_to_queue_is_inside_when_he_is_let_in) {
    BOOST_TEST(first.enter());
    BOOST_TEST((first.is_inside() && !first.is_queued()));
    BOOST_TEST(!second.enter());
    BOOST_TEST((second.is_queued() && !second.is_inside()));
    first.leave();
    BOOST_TEST(!first.is_inside());
    BOOST_TEST((second.is_inside() && !second.is_queued()));
    BOOST_TEST(first.times_let_in == 0);
    BOOST_TEST(second.times_let_in == 1);
}

BOOST_AUTO_TEST_CASE(whoever_leaves_gives_back_what_he_has_and_no_more) {
    first.enter();
    second.enter();
    second.leave();
    second.leave();
    BOOST_TEST(window.waiting() == 0u);
    BOOST_TEST(window.inside() == 1u);
    first.leave();
    first.leave();
    BOOST_TEST(window.inside() == 0u);
    BOOST_TEST(second.enter());
}

BOOST_AUTO_TEST_CASE(who_comes_ahead_is_let_in_first) {
    first.enter();
    second.enter();
    BOOST_TEST(!third.enter(true));
    first.leave();
    BOOST_TEST(third.is_inside());
    BOOST_TEST(second.is_queued());
}

BOOST_AUTO_TEST_CASE(with_its_end_a_place_is_another_ones) {
    std::optional<guest> brief(std::in_place, window);
    brief->enter();
    std::optional<guest> briefer(std::in_place, window);
    briefer->enter();
    second.enter();
    briefer.reset();
    BOOST_TEST(window.waiting() == 1u);
    brief.reset();
    BOOST_TEST(second.is_inside());
    BOOST_TEST(window.inside() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test::admission
