// Locks of every kind that are lost behind every handler that runs for a call: while they are asked for, and
// while something is done with them.

#include "lease/interrupted_client.hpp"

#include <redlock/leadership.hpp>
#include <redlock/owner.hpp>

#include <boost/test/data/test_case.hpp>

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;

enum class sort_of_lock { plain, fenced, reading, writing, downgraded, permit, owned, kept, set, leading };
enum class doing { take, unlock, drop, extend, wait_lost, downgrade, proclaim, enter };
/// What becomes of the key.
enum class loss_of_key { it_is_free, another_has_it };

constexpr sort_of_lock sorts[] = {sort_of_lock::plain,   sort_of_lock::fenced,     sort_of_lock::reading,
                                  sort_of_lock::writing, sort_of_lock::downgraded, sort_of_lock::permit,
                                  sort_of_lock::owned,   sort_of_lock::kept,       sort_of_lock::set,
                                  sort_of_lock::leading};
constexpr doing doings[] = {doing::take,      doing::unlock,    doing::drop,     doing::extend,
                            doing::wait_lost, doing::downgrade, doing::proclaim, doing::enter};
constexpr loss_of_key losses[] = {loss_of_key::it_is_free, loss_of_key::another_has_it};

std::ostream& operator<<(std::ostream& out, sort_of_lock s) { return out << "sort " << static_cast<int>(s); }
std::ostream& operator<<(std::ostream& out, doing d) { return out << "doing " << static_cast<int>(d); }
std::ostream& operator<<(std::ostream& out, loss_of_key l) { return out << "loss " << static_cast<int>(l); }

/// Not everything can be done with every lock.
bool goes_with(doing what, sort_of_lock sort) {
    switch (what) {
    case doing::take:
        return sort != sort_of_lock::downgraded;
    case doing::downgrade:
        return sort == sort_of_lock::writing;
    case doing::proclaim:
        return sort == sort_of_lock::leading;
    case doing::enter:
        return sort == sort_of_lock::owned;
    default:
        return sort != sort_of_lock::set || what != doing::extend;
    }
}

// More than any of it takes.
constexpr int most_loss_steps = 60;

struct loss_ending {
    int completions = 0;
    error_code error;
};

/// Whatever was granted.
struct any_lease {
    lease one;
    lease_set several;
    leadership leads;

    explicit operator bool() const { return one || several || leads; }
    bool valid() const { return one.valid() || several.valid() || leads.valid(); }
    bool is_told_to_stop() const {
        return (several ? several.stop_token()
                : leads ? leads.stop_token()
                        : one.stop_token())
            .stop_requested();
    }
};

struct loser : interrupted_client {
    explicit loser(const lease_fixture& f, sort_of_lock what)
        : interrupted_client(f.settings()), sort(what) {}

    lock_options options() const {
        lock_options o = patiently();
        o.fencing = sort == sort_of_lock::fenced;
        if (sort == sort_of_lock::reading) o.mode = mode::read;
        if (sort == sort_of_lock::writing || sort == sort_of_lock::downgraded) o.mode = mode::write;
        if (sort == sort_of_lock::permit) o.permits = 2;
        if (sort == sort_of_lock::owned) o.owner = &me;
        if (sort == sort_of_lock::kept) o.keep = 1h;
        return o;
    }

    auto note() {
        return [e = end](error_code failure) {
            ++e->completions;
            e->error = failure;
        };
    }

    void take(std::shared_ptr<any_lease> into) {
        const auto done = [into, said = note()](error_code failure, auto granted) {
            said(failure);
            if constexpr (std::is_same_v<decltype(granted), lease_set>)
                into->several = std::move(granted);
            else if constexpr (std::is_same_v<decltype(granted), leadership>)
                into->leads = std::move(granted);
            else
                into->one = std::move(granted);
        };
        if (sort == sort_of_lock::set)
            locks->async_lock_all(std::vector<std::string>{"key", "other"}, options(),
                                  [done](error_code e, lease_set s) { done(e, std::move(s)); });
        else if (sort == sort_of_lock::leading)
            locks->async_campaign("key", "me", options(),
                                  [done](error_code e, leadership l) { done(e, std::move(l)); });
        else
            locks->async_lock("key", options(), [done](error_code e, lease l) { done(e, std::move(l)); });
    }
    void take_first() {
        take(held);
        settle();
        BOOST_REQUIRE(end->completions == 1);
        BOOST_REQUIRE(!end->error);
        if (sort == sort_of_lock::downgraded) {
            outcome<> done;
            held->one.async_downgrade(done.handler());
            settle();
            BOOST_REQUIRE((done.done() && !done.error()));
        }
        end = std::make_shared<loss_ending>();
    }

    void start(doing what) {
        lease& any = sort == sort_of_lock::leading ? held->leads : held->one;
        switch (what) {
        case doing::take:
            return take(held);
        case doing::unlock:
            return sort == sort_of_lock::set ? held->several.async_unlock(note()) : any.async_unlock(note());
        case doing::drop:
            *held = any_lease();
            ++end->completions;
            return;
        case doing::extend:
            return any.async_extend(2 * long_ttl, note());
        case doing::wait_lost:
            return sort == sort_of_lock::set ? held->several.async_wait_lost(note())
                                             : any.async_wait_lost(note());
        case doing::downgrade:
            return any.async_downgrade(note());
        case doing::proclaim:
            return held->leads.async_proclaim("anew", note());
        case doing::enter:
            return take(entered);
        }
    }

    const sort_of_lock sort;
    const owner me;
    std::shared_ptr<loss_ending> end = std::make_shared<loss_ending>();
    std::shared_ptr<any_lease> held = std::make_shared<any_lease>();
    std::shared_ptr<any_lease> entered = std::make_shared<any_lease>();
};

struct kind_loss_fixture : lease_fixture {
    std::vector<std::string> keys_of(sort_of_lock sort) const {
        if (sort == sort_of_lock::permit) return {"key:0", "key:1"};
        return {"key"};
    }
    // False when there is no later point at which it could be lost.
    bool lose_after(int steps, sort_of_lock sort, doing what, loss_of_key how) {
        BOOST_TEST_CONTEXT(sort << ", " << what << ", " << how << " after " << steps << " steps") {
            loser l(*this, sort);
            if (what != doing::take) l.take_first();
            l.start(what);
            bool more = true;
            for (int i = 0; i < steps && more; ++i)
                more = l.step();
            const bool was_valid = l.held->valid();
            const bool was_over = l.end->completions > 0;
            for (const std::string& key : keys_of(sort))
                if (how == loss_of_key::it_is_free)
                    hand->lose(prefix + key);
                else
                    hand->hold(prefix + key, 24h);
            l.settle();
            expect_the_truth(l, what, how, was_valid, was_over);
            expect_nothing_left(l, sort);
            return more;
        }
        return false;
    }

    void expect_the_truth(loser& l, doing what, loss_of_key how, bool was_valid, bool was_over) {
        // Whoever asks while somebody else has it waits, unless it was his before he was told.
        const bool may_wait = what == doing::take && how == loss_of_key::another_has_it && !was_over;
        BOOST_TEST((l.end->completions == 1 || (may_wait && l.end->completions == 0)));
        const error_code e = l.end->error;
        BOOST_TEST((!e || e == errc::lease_lost || e == errc::invalid_option ||
                    (what == doing::take && e == errc::no_quorum)),
                   "ended with " << e.message());
        // What was valid before the loss is over, and whoever has what is over knows it.
        if (was_valid) BOOST_TEST(!l.held->valid());
        if (*l.held && what != doing::unlock) BOOST_TEST(l.held->is_told_to_stop() == !l.held->valid());
        // What is valid is there.
        if (l.held->valid()) {
            bool is_there = false;
            for (const std::string& key : keys_of(l.sort))
                is_there = is_there || is_held(key);
            BOOST_TEST(is_there);
            BOOST_TEST(how == loss_of_key::it_is_free);
        }
        if (what == doing::enter && *l.entered) BOOST_TEST(!l.entered->valid());
    }

    void expect_nothing_left(loser& l, sort_of_lock sort) {
        for (const std::string& key : keys_of(sort))
            lose(key); // what the test holds
        l.settle();
        *l.held = any_lease();
        *l.entered = any_lease();
        l.settle();
        if (sort == sort_of_lock::kept) pass(2h);
        l.settle();
        BOOST_TEST(l.end->completions == 1);
        BOOST_TEST(l.locks->metrics().held == 0u);
        BOOST_TEST(l.locks->metrics().waiting == 0u);
        for (const char* const key : {"key", "key:0", "key:1", "other"}) {
            BOOST_TEST(!is_held(key), key << " is held");
            BOOST_TEST(waiting(key) == 0u);
        }
        client looks = make_client();
        BOOST_TEST(!inspect(looks).leader.has_value());
        lock_options writing = once();
        writing.mode = mode::write;
        BOOST_TEST(!try_lock(looks, "key", writing));
    }
};

BOOST_FIXTURE_TEST_SUITE(kinds_lost_at_every_step, kind_loss_fixture,
                         *boost::unit_test::precondition(engine_in_hand))

BOOST_DATA_TEST_CASE_F(kind_loss_fixture, whoever_loses_it_knows_and_nothing_is_left,
                       data::make(sorts) * data::make(doings) * data::make(losses), sort, what, how) {
    if (!goes_with(what, sort)) return;
    int steps = 0;
    while (lose_after(steps, sort, what, how) && steps < most_loss_steps)
        ++steps;
    BOOST_TEST(steps < most_loss_steps);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
