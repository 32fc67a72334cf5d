#pragma once

#include "engines/sql/session/table_session.hpp"

#include <functional>
#include <memory>
#include <utility>

namespace redlock::sql {

/// A statement for a question, which may be let go of before it was answered.
class question_inquiry final : public inquiry {
public:
    /// The answer, or null and why there is none. Once.
    using handler = std::function<void(const answer*, errc)>;
    question_inquiry(statement s, handler told) : inquiry(std::move(s)), told_(std::move(told)) {}

    void let_go() noexcept {
        told_ = nullptr;
        if (!sent) delete this;
    }

private:
    void answered(const answer& a) noexcept override { tell(&a, errc{}); }
    void failed(errc why) noexcept override { tell(nullptr, why); }
    void tell(const answer* a, errc why) noexcept {
        const std::unique_ptr<question_inquiry> last(this);
        const handler told = std::exchange(told_, nullptr);
        if (told) told(a, why);
    }

    handler told_;
};

} // namespace redlock::sql
