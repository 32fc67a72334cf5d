// What a leader has proclaimed, and every answer to each request that has it stand.

#include "core/election/leader_record.hpp"
#include "engines/zookeeper/rule/statement.hpp"

#include <boost/test/unit_test.hpp>

#include <ostream>
#include <string>

namespace redlock::zookeeper {

std::ostream& operator<<(std::ostream& to, statement::action a) { return to << static_cast<int>(a); }

namespace {

using request = statement::action;
using told = statement::answer;

constexpr std::uint64_t term = 7;
constexpr leader_mark first{term, 1}, second{term, 2};

/// Whose request of that kind is under way: the first for `make`, and behind it another.
statement that_asks(request what) {
    statement says;
    says.proclaim(term, "a");
    BOOST_TEST(says.next() == request::make);
    if (what == request::make) return says;
    says.answered(told::done);
    if (what == request::check) says.again();
    if (what == request::write || what == request::look) says.proclaim(term, "b");
    if (what == request::look) {
        BOOST_TEST(says.next() == request::write);
        says.answered(told::changed);
    }
    BOOST_TEST(says.next() == what);
    return says;
}

BOOST_AUTO_TEST_SUITE(statements)

BOOST_AUTO_TEST_CASE(what_is_proclaimed_is_made_written_over_its_version_and_checked) {
    statement says;
    says.proclaim(term, "a");
    BOOST_TEST(says.record() == core::leader_record(first, "a"));
    BOOST_TEST(!says.stands(first));
    BOOST_TEST(!says.is_at_rest());
    BOOST_TEST(says.next() == request::make);
    says.answered(told::done);
    BOOST_TEST((says.stands(first) && says.is_at_rest()));
    BOOST_TEST(says.next() == request::nothing);
    for (std::int32_t version = 0; version < 3; ++version) {
        says.proclaim(term, "b");
        BOOST_TEST(!says.stands(says.mark()));
        BOOST_TEST(says.next() == request::write);
        BOOST_TEST(says.version() == version);
        says.answered(told::done);
        BOOST_TEST(says.stands(says.mark()));
    }
    says.again();
    BOOST_TEST(says.next() == request::check);
    BOOST_TEST(says.version() == 3);
    says.answered(told::done);
    BOOST_TEST(says.next() == request::nothing);
}

BOOST_AUTO_TEST_CASE(what_is_proclaimed_meanwhile_follows_and_confirms_what_was_before) {
    statement says = that_asks(request::make);
    for (const char* const value : {"b", "c"})
        says.proclaim(term, value);
    BOOST_TEST(says.next() == request::nothing);
    BOOST_TEST(!says.is_at_rest());
    says.answered(told::done);
    BOOST_TEST((says.stands(first) && !says.stands(second)));
    BOOST_TEST(says.next() == request::write);
    BOOST_TEST(says.record() == core::leader_record({term, 3}, "c"));
    says.answered(told::done);
    BOOST_TEST((says.stands(second) && says.stands({term, 3})));
}

BOOST_AUTO_TEST_CASE(versions_begin_with_each_term) {
    statement says = that_asks(request::write);
    says.answered(told::done);
    says.proclaim(term + 1, "c");
    BOOST_TEST((says.mark() == leader_mark{term + 1, 1}));
    BOOST_TEST(says.next() == request::write);
}

BOOST_AUTO_TEST_CASE(each_answer_to_each_request_says_what_comes_next) {
    struct row {
        told is;
        request behind_make, behind_write, behind_check, behind_look;
    };
    constexpr row all[] = {
        {told::key_gone, request::nothing, request::nothing, request::nothing, request::nothing},
        {told::node_there, request::look, request::look, request::look, request::look},
        {told::node_gone, request::make, request::make, request::make, request::make},
        {told::changed, request::look, request::look, request::look, request::look},
        {told::unknown, request::look, request::look, request::look, request::look},
    };
    for (const row& each : all)
        for (const auto& [what, expected] :
             {std::pair{request::make, each.behind_make}, std::pair{request::write, each.behind_write},
              std::pair{request::check, each.behind_check}, std::pair{request::look, each.behind_look}}) {
            statement says = that_asks(what);
            says.answered(each.is);
            BOOST_TEST(says.next() == expected,
                       "answer " << static_cast<int>(each.is) << " to " << static_cast<int>(what));
            BOOST_TEST(says.key_is_gone() == (each.is == told::key_gone));
            BOOST_TEST(says.may_come_late() == (each.is == told::unknown && what == request::make));
            BOOST_TEST(!says.is_at_rest() ==
                       (each.is != told::key_gone || what == request::make || what == request::look));
        }
}

BOOST_AUTO_TEST_CASE(what_was_never_sent_is_asked_for_once_more) {
    for (const request what : {request::make, request::write, request::check, request::look}) {
        statement says = that_asks(what);
        says.not_done();
        BOOST_TEST(says.next() == what);
        BOOST_TEST(!says.may_come_late());
    }
}

BOOST_AUTO_TEST_CASE(a_look_at_the_own_node_tells_what_is_to_be_written_over_what) {
    for (const bool is_last : {false, true}) {
        statement says = that_asks(request::look);
        says.seen(5, true, core::leader_record(is_last ? second : first, "?"));
        BOOST_TEST(says.stands(second) == is_last);
        BOOST_TEST(says.next() == (is_last ? request::nothing : request::write));
        BOOST_TEST(says.version() == 5);
    }
    statement says = that_asks(request::look);
    says.seen(5, true, "no record");
    BOOST_TEST(!says.stands(first));
    BOOST_TEST(says.next() == request::write);
}

BOOST_AUTO_TEST_CASE(what_another_has_put_there_is_left_alone_until_one_asks_again) {
    for (const bool proclaims : {false, true}) {
        statement says = that_asks(request::look);
        says.seen(0, false, core::leader_record(second, "b"));
        BOOST_TEST(says.is_obstructed());
        BOOST_TEST((!says.stands(second) && !says.is_at_rest()));
        BOOST_TEST(says.next() == request::nothing);
        if (proclaims)
            says.proclaim(term, "c");
        else
            says.again();
        BOOST_TEST(!says.is_obstructed());
        BOOST_TEST(says.next() == request::make);
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::zookeeper
