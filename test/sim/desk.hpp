#pragma once

#include "lease/call.hpp"
#include "lease/call_desk.hpp"
#include "primitive/permits/permit_gates.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <functional>
#include <utility>

namespace redlock::sim {

/// Where the calls of a process go that are made as users make them: what `lock::client_core` is for those of
/// a real one.
class desk final : public lock::call_desk {
public:
    /// Once, before the first call. `do_in_turn` does something in a turn of the process.
    void open(boost::asio::any_io_executor executor,
              std::function<void(const std::function<void()>&)> do_in_turn) {
        executor_ = std::move(executor);
        do_in_turn_ = std::move(do_in_turn);
    }
    /// The process closes: what goes on without an engine has to end.
    void begin_closing();
    /// The process is gone.
    void abandon() noexcept;
    bool is_at_rest() const noexcept { return active_.empty(); }

    const boost::asio::any_io_executor& executor() const noexcept override { return executor_; }
    bool is_gone() const noexcept override { return is_gone_; }
    void do_later(std::function<void()> what) override;
    void deliver(detail::completion_pointer<detail::completion> c) override;
    turn::live_list<lock::call>& active() noexcept override { return active_; }
    primitive::permit_gates& permit_gates() noexcept override { return gates_; }
    void close(std::function<void()>) override {} // a process is closed by its world

private:
    boost::asio::any_io_executor executor_;
    std::function<void(const std::function<void()>&)> do_in_turn_;
    turn::live_list<lock::call> active_;
    primitive::permit_gates gates_;
    bool is_gone_ = false;
};

} // namespace redlock::sim
