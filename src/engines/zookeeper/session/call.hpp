#pragma once

#include "core/instant.hpp"
#include "engines/zookeeper/wire/replies.hpp"
#include "engines/zookeeper/wire/requests.hpp"
#include "turn/live_list.hpp"

#include <redlock/detail/pool.hpp>
#include <redlock/error.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

namespace redlock::zookeeper {

/// What became of a call.
struct reply {
    enum class kind : std::uint8_t {
        done,
        refused, ///< by the server, which did nothing: `said`
        failed,  ///< it never left: `why`
        unknown  ///< it was sent, and nobody knows what became of it: `why`
    };
    kind what = kind::failed;
    fault said = fault::none;
    errc why{};
    core::instant sent_at{};
    std::string_view body{};

    bool is_done() const noexcept { return what == kind::done; }
    /// Whether it may have been done, or may be yet.
    bool is_in_doubt() const noexcept { return what == kind::unknown; }
};

/// As a code for whoever asked.
errc meaning_of(const reply& r) noexcept;

/// One request to the servers. Owns itself once it was given to the session, until it was answered.
class call final : public turn::list_hook, public detail::pooled {
public:
    /// In a turn; the last thing that happens to a call. It may begin other calls, or let go of them.
    using handler = std::function<void(const reply&)>;
    call(request_body asks, handler told) : asks_(std::move(asks)), told_(std::move(told)) {}
    call(const call&) = delete;
    call& operator=(const call&) = delete;

    const request_body& asks() const noexcept { return asks_; }
    void answered(const reply& r) noexcept {
        const std::unique_ptr<call> last(this);
        const handler told = std::exchange(told_, nullptr);
        if (told) told(r);
    }
    /// Nobody waits for it any more: it takes its course.
    void let_go() noexcept { told_ = nullptr; }

private:
    const request_body asks_;
    handler told_;
};

/// A call that somebody waits for, who may go away.
class awaited_call {
public:
    awaited_call() = default;
    awaited_call(const awaited_call&) = delete;
    awaited_call& operator=(const awaited_call&) = delete;
    ~awaited_call() { let_go(); }

    void wait_for(call& c) noexcept {
        let_go();
        call_ = &c;
    }
    /// It was answered.
    void is_over() noexcept { call_ = nullptr; }
    void let_go() noexcept {
        if (call_) std::exchange(call_, nullptr)->let_go();
    }
    explicit operator bool() const noexcept { return call_ != nullptr; }

private:
    call* call_ = nullptr;
};

} // namespace redlock::zookeeper
