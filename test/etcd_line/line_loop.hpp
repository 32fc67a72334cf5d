#pragma once

#include "engines/etcd/line/line.hpp"
#include "support/event_loop.hpp"
#include "time/alarm.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace redlock::test {

using namespace std::chrono_literals;

/// A line on an event loop that the test runs, with turns as a client has them.
class line_loop : public event_loop,
                  private turn::turn_listener,
                  private turn::turn_work,
                  private turn::inbox_waker,
                  private etcd::line_listener {
public:
    using asio_strand = etcd::strand;

    explicit line_loop(etcd::line_settings s)
        : strand_(boost::asio::make_strand(boost::asio::any_io_executor(context.get_executor()))),
          turns_(time::real_time(), 1, *this, *this),
          alarm_(strand_),
          line_(strand_, turns_, std::move(s), *this) {
        turns_.set_work(*this);
        alarm_.start(alive_, [this] { turn([] {}); });
    }
    ~line_loop() {
        turn([&] { line_.fail_all(errc::closed); });
        alarm_.stop();
    }

    etcd::line& line() noexcept { return line_; }
    turn::turns& turns() noexcept { return turns_; }
    void turn(const std::function<void()>& what) {
        turns_.begin();
        what();
        turns_.end();
    }
    void start() {
        turn([&] { line_.start(); });
    }
    /// Whether it comes to that.
    bool serves() {
        start();
        return run_until([&] { return line_.serves(); });
    }
    bool loses() {
        const auto before = losses.size();
        return run_until([&] { return losses.size() > before; });
    }

    struct loss {
        errc why;
        std::string endpoint;
        std::string text;
    };
    std::vector<loss> losses;
    unsigned services = 0;
    std::function<void()> when_served;
    std::function<void()> when_lost;
    std::size_t flushes = 0;

private:
    void line_serves() override {
        ++services;
        if (when_served) when_served();
    }
    void line_lost(errc why, const std::string& text) override {
        losses.push_back({why, line_.endpoint(), text});
        if (when_lost) when_lost();
    }
    void before_routines() noexcept override {}
    bool send_what_waits(bool) noexcept override {
        line_.send_what_waits();
        return false;
    }
    void after_routines() noexcept override {}
    void turn_began() noexcept override {}
    void turn_ended(std::optional<time::instant> next) noexcept override {
        if (next) alarm_.wake_at(*next, turns_.now());
        if (!line_.has_unwritten()) return;
        ++flushes;
        line_.flush();
    }
    void wake() noexcept override {}

    const std::shared_ptr<int> alive_ = std::make_shared<int>(0);
    asio_strand strand_;
    turn::turns turns_;
    time::alarm alarm_;
    etcd::line line_;
};

} // namespace redlock::test
