#pragma once

#include "client/forked_child.hpp"
#include "election_fixture.hpp"

#include <boost/asio/io_context.hpp>

#include <functional>
#include <optional>
#include <string>

namespace redlock::test {

/// A candidate, and then a leader, in a process of its own, which can be killed and stopped.
class leading_process {
public:
    leading_process(const config& c, const std::string& value, std::chrono::milliseconds ttl)
        : child_([=]() -> std::string {
              boost::asio::io_context context;
              client locks(context.get_executor(), c);
              std::optional<leadership> leads;
              // On a busy machine a short deadline of its nodes may pass.
              std::function<void()> ask = [&] {
                  locks.async_campaign("key", value, with_ttl(ttl), [&](error_code ec, leadership l) {
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
