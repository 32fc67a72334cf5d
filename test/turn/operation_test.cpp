#include "turn/routine_operation.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>

using namespace redlock::turn;

namespace {

/// Writes down what it is woken for.
struct diary final : routine_operation {
    diary(ready_queue& q, std::string& log) : routine_operation(q), log_(log) {}
    void write(unsigned wanted, int times) { run(body(wanted, times)); }
    using operation::forget;
    using routine_operation::stop_running;

private:
    routine body(unsigned wanted, int times) {
        for (int i = 0; i < times; ++i)
            log_ += std::to_string(co_await any_of(wanted)) + " ";
    }
    void routine_ended() noexcept override { log_ += "end "; }

    std::string& log_;
};

/// Likewise, without a routine.
struct plain_diary final : operation {
    plain_diary(ready_queue& q, std::string& log) : operation(q), log_(log) {}
    using operation::await;
    using operation::stop_waiting;

private:
    void events_came() noexcept override { log_ += "came " + std::to_string(take(1 | 2)) + " "; }

    std::string& log_;
};

} // namespace

BOOST_AUTO_TEST_SUITE(operation_and_its_events)

BOOST_AUTO_TEST_CASE(an_event_makes_ready_and_does_not_run) {
    ready_queue ready;
    std::string log;
    diary d(ready, log);
    d.write(1 | 2, 2);
    d.raise(1);
    BOOST_TEST(log == "");
    ready.run();
    BOOST_TEST(log == "1 ");
    d.raise(2);
    d.raise(1);
    ready.run();
    BOOST_TEST(log == "1 3 end ");
}

BOOST_AUTO_TEST_CASE(events_that_are_not_wanted_now_are_remembered) {
    ready_queue ready;
    std::string log;
    diary d(ready, log);
    d.raise(1);
    d.write(1, 1);
    BOOST_TEST(log == "1 end ");
    d.write(2, 1);
    d.raise(4);
    ready.run();
    BOOST_TEST(log == "1 end ");
    d.raise(2);
    ready.run();
    BOOST_TEST(log == "1 end 2 end ");
}

BOOST_AUTO_TEST_CASE(operations_run_in_the_order_in_which_they_became_ready) {
    ready_queue ready;
    std::string log;
    diary first(ready, log);
    diary second(ready, log);
    first.write(1, 1);
    second.write(2, 1);
    second.raise(2);
    first.raise(1);
    ready.run();
    BOOST_TEST(log == "2 end 1 end ");
}

BOOST_AUTO_TEST_CASE(an_operation_may_go_while_it_waits_and_while_it_is_ready) {
    ready_queue ready;
    std::string log;
    {
        diary waiting(ready, log);
        waiting.write(1, 1);
        diary made_ready(ready, log);
        made_ready.write(1, 1);
        made_ready.raise(1);
    }
    BOOST_TEST(ready.empty());
    ready.run();
    BOOST_TEST(log == "");
}

BOOST_AUTO_TEST_CASE(a_stopped_routine_is_gone) {
    ready_queue ready;
    std::string log;
    diary d(ready, log);
    d.write(1, 1);
    d.raise(1);
    d.stop_running();
    ready.run();
    BOOST_TEST(log == "");
    d.forget(1);
    d.write(1, 1);
    d.raise(1);
    ready.run();
    BOOST_TEST(log == "1 end ");
}

BOOST_AUTO_TEST_CASE(a_wait_needs_no_routine) {
    ready_queue ready;
    std::string log;
    plain_diary d(ready, log);
    d.await(1 | 2);
    d.raise(4);
    ready.run();
    BOOST_TEST(log == "");
    d.raise(2);
    BOOST_TEST(log == "");
    ready.run();
    BOOST_TEST(log == "came 2 ");
    d.raise(1);
    ready.run();
    BOOST_TEST(log == "came 2 "); // nobody waits any more
    d.await(1);
    ready.run();
    BOOST_TEST(log == "came 2 came 1 ");
    d.await(1);
    d.raise(1);
    d.stop_waiting();
    ready.run();
    BOOST_TEST(log == "came 2 came 1 ");
}

BOOST_AUTO_TEST_SUITE_END()
