#include "core/admission_window.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>
#include <vector>

using redlock::core::admission_waiter;
using redlock::core::admission_window;

namespace {

struct contender final : admission_waiter {
    contender(int number, std::vector<int>& log) : number_(number), log_(log) {}
    void admitted() noexcept override { log_.push_back(number_); }

private:
    int number_;
    std::vector<int>& log_;
};

struct crowd {
    std::vector<int> admitted;
    std::deque<contender> all;

    explicit crowd(int size) {
        for (int i = 0; i < size; ++i)
            all.emplace_back(i, admitted);
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(window_of_admission)

BOOST_AUTO_TEST_CASE(up_to_its_limit_nobody_waits) {
    admission_window window(2);
    crowd c(3);
    BOOST_TEST(window.enter(c.all[0]));
    BOOST_TEST(window.enter(c.all[1]));
    BOOST_TEST(!window.enter(c.all[2]));
    BOOST_TEST(window.inside() == 2U);
    BOOST_TEST(window.waiting() == 1U);
}

BOOST_AUTO_TEST_CASE(places_are_given_in_order) {
    admission_window window(1);
    crowd c(5);
    for (contender& one : c.all)
        window.enter(one);
    for (int i = 0; i < 4; ++i)
        window.leave();
    const std::vector<int> expected{1, 2, 3, 4};
    BOOST_TEST(c.admitted == expected, boost::test_tools::per_element());
    BOOST_TEST(window.inside() == 1U);
    window.leave();
    BOOST_TEST(window.inside() == 0U);
}

BOOST_AUTO_TEST_CASE(who_withdraws_is_passed_over) {
    admission_window window(1);
    crowd c(4);
    for (contender& one : c.all)
        window.enter(one);
    BOOST_TEST(window.withdraw(c.all[2]));
    BOOST_TEST(!window.withdraw(c.all[2]));
    BOOST_TEST(!window.withdraw(c.all[0])); // inside, not waiting
    window.leave();
    window.leave();
    const std::vector<int> expected{1, 3};
    BOOST_TEST(c.admitted == expected, boost::test_tools::per_element());
    BOOST_TEST(window.waiting() == 0U);
}

BOOST_AUTO_TEST_CASE(newcomers_do_not_overtake_those_who_wait) {
    admission_window window(1);
    crowd c(3);
    window.enter(c.all[0]);
    window.enter(c.all[1]);
    window.leave();
    BOOST_TEST(!window.enter(c.all[2]));
    window.leave();
    BOOST_TEST(c.admitted.back() == 2);
}

BOOST_AUTO_TEST_SUITE_END()
