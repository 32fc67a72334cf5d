#pragma once

#include "engines/etcd/line/call.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace redlock::etcd {

/// What came of a call: its answer, which is there while it is told, or why there is none.
struct result {
    std::string_view response;
    core::instant sent_at{};
    const failure* failed = nullptr;
};

/// A call whose answer goes to whoever asked, unless he has let go of it.
class inquiry final : public call {
public:
    using handler = std::function<void(const result&)>;
    inquiry(const method& m, std::string request, handler told)
        : call(m, std::move(request)), told_(std::move(told)) {}

    /// Without an answer, when its client is gone.
    ~inquiry() override {
        if (known_at_) *known_at_ = nullptr;
    }

    /// Where whoever asked knows of it, until it is told or let go of: he is not to let go of one that is
    /// gone.
    void is_known_at(inquiry*& place) noexcept { known_at_ = &place; }
    /// Nobody wants to know any more.
    void let_go() noexcept {
        told_ = nullptr;
        known_at_ = nullptr;
    }

private:
    void answered(std::string_view response, core::instant sent_at) noexcept override {
        tell({response, sent_at, nullptr});
    }
    void failed(const failure& why) noexcept override { tell({{}, {}, &why}); }
    void tell(const result& r) noexcept {
        const std::unique_ptr<inquiry> last(this);
        known_at_ = nullptr;
        const handler told = std::exchange(told_, nullptr);
        if (told) told(r);
    }

    handler told_;
    inquiry** known_at_ = nullptr;
};

} // namespace redlock::etcd
