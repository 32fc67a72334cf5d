#pragma once

#include "client/forked_child.hpp"
#include "election/follower.hpp"
#include "leading_service.hpp"

#include <redlock/leadership.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace redlock::test {

/// Two clients that campaign and one that observes, of the service whose `leading_service.hpp` is in the
/// place where the folder is compiled. It has `settings`, `make_client`, `make_distant_client` over
/// `network`, and says what stands there: `places`, `values`.
/// As somebody else who knows nothing of locks it deletes the value of "key", or the key of its holder:
/// `delete_value`, `delete_place`.
struct leading_fixture : leading_service {
    outcome<leadership> ask(client& by, const std::string& value, lock_options options = patiently(),
                            const std::string& name = "key") {
        outcome<leadership> got;
        by.async_campaign(name, value, options, got.handler());
        return got;
    }
    leadership campaign(client& by, const std::string& value, lock_options options = patiently(),
                        const std::string& name = "key") {
        return expect(ask(by, value, options, name));
    }
    outcome<leader_info> begin_to_observe(client& by, leader_mark known = {},
                                          const std::string& name = "key") {
        outcome<leader_info> got;
        by.async_observe(name, known, got.handler());
        return got;
    }
    leader_info observe(leader_mark known = {}, const std::string& name = "key") {
        return expect(begin_to_observe(observes, known, name));
    }
    template <class Result>
    Result expect(outcome<Result> got) {
        BOOST_REQUIRE(run_until([&] { return got.done(); }));
        BOOST_REQUIRE_MESSAGE(!got.error(), got.error().message());
        return std::move(got.value());
    }
    error_code proclaim(leadership& l, const std::string& value) {
        outcome<> result;
        l.async_proclaim(value, result.handler());
        BOOST_REQUIRE(run_until([&] { return result.done(); }));
        return result.error();
    }
    bool nothing_is_left() {
        return run_until([&] { return places() == 0 && values() == 0; });
    }
    /// Again, where it was cut off.
    bool is_connected(client& one) {
        return run_until([&] {
            outcome<key_report> looked;
            one.async_inspect("key", looked.handler());
            complete(looked);
            return !looked.error();
        });
    }
    void settle(std::chrono::milliseconds time = 100ms) {
        BOOST_TEST(!run_until(time, [] { return false; }));
    }

    client first = make_client(), second = make_client(), observes = make_client();
};

/// A candidate, and then a leader, in a process of its own, which can be killed and stopped.
class leading_child {
public:
    leading_child(const config& c, const std::string& value, std::chrono::milliseconds ttl)
        : child_([=]() -> std::string {
              boost::asio::io_context context;
              client locks(context.get_executor(), c);
              std::optional<leadership> leads;
              std::function<void()> ask = [&] {
                  locks.async_campaign("key", value, patiently(ttl), [&](error_code ec, leadership l) {
                      ec ? ask() : void(leads.emplace(std::move(l)));
                  });
              };
              ask();
              context.run();
              return {};
          }) {}

    void stop() { child_.stop(); }
    void resume() { child_.resume(); }

private:
    forked_child child_;
};

} // namespace redlock::test
