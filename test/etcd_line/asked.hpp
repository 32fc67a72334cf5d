#pragma once

#include "engines/etcd/line/line.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace redlock::test {

/// What became of a call, or has not yet.
struct call_result {
    std::optional<std::string> response;
    std::optional<etcd::failure> failed;
    core::instant sent_at{};

    bool done() const noexcept { return response || failed; }
};

/// A call that leaves its result where the test finds it.
class asked_call final : public etcd::call {
public:
    asked_call(const etcd::method& m, const std::string& request, std::shared_ptr<call_result> told,
               core::nanoseconds patience = {}, bool outlasts = false)
        : call(m, request, patience), told_(std::move(told)), outlasts_(outlasts) {}

    void answered(std::string_view response, core::instant sent_at) noexcept override {
        const std::unique_ptr<asked_call> own(this);
        told_->response = std::string(response);
        told_->sent_at = sent_at;
    }
    void failed(const etcd::failure& why) noexcept override {
        const std::unique_ptr<asked_call> own(this);
        told_->failed = why;
    }
    bool outlasts_connection() const noexcept override { return outlasts_; }

private:
    const std::shared_ptr<call_result> told_;
    const bool outlasts_;
};

/// A stream that keeps what it hears.
class heard_stream final : public etcd::stream {
public:
    using stream::stream;

    void received(std::string_view message) noexcept override { messages.emplace_back(message); }
    void ended(const etcd::failure& why) noexcept override { end = why; }

    std::deque<std::string> messages;
    std::optional<etcd::failure> end;
};

} // namespace redlock::test
