#pragma once

#include "engine/renewal.hpp"
#include "engines/sql/session/request.hpp"
#include "turn/outcome.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace redlock::sql {

class table_engine;

/// Says why the database did not do what it was asked for.
class database_failure final : public engine::failure {
public:
    explicit database_failure(std::string sentence) : sentence_(std::move(sentence)) {}
    std::string describe(std::string_view done) const override;

private:
    const std::string sentence_;
};

/// As callers are told it: a database that is out of reach is a quorum that is not there.
constexpr errc told_as(errc why) noexcept {
    const bool may_pass = why == errc::node_timeout || why == errc::node_unavailable ||
                          why == errc::node_quarantined || why == errc::protocol_error;
    return may_pass ? errc::no_quorum : why;
}

/// A renewal, or a new fencing token, for somebody who may let go of it.
template <class Listener>
class errand_request final : public request, public engine::errand {
public:
    errand_request(const table_engine& of_engine, kind k, claim_pointer held,
                   std::chrono::milliseconds new_life, Listener& told)
        : request(k, std::move(held), new_life), engine_(of_engine), told_(&told) {}

    void let_go() noexcept override {
        told_ = nullptr;
        if (!sent && !telling_) delete this;
    }

private:
    void answered(const reply& r) noexcept override;
    void tell(engine::outcome how, const reply& r, const engine::failure* more) noexcept;

    const table_engine& engine_;
    Listener* told_; ///< null when nobody waits for it any more
    std::unique_ptr<database_failure>
        failure_; ///< as it was told, and may be looked at until this is let go of
    bool telling_ = false;
};

using renewal = errand_request<engine::renewal_listener>;
using token_advance = errand_request<engine::token_listener>;

/// Gives a key back. Where nobody knows what became of that, or of the key, it tries again for as long as the
/// key may be there.
class release final : public request {
public:
    release(table_engine& by, claim_pointer held, core::instant keys_end, bool lost,
            turn::outcome_waiters&& told, unsigned tries = 3);

    bool outlasts_connection() const noexcept override;

private:
    void answered(const reply& r) noexcept override;

    table_engine& engine_;
    const bool lost_;
    turn::outcome_waiters told_;
    const unsigned tries_; ///< that fail for a reason that does not pass by itself
};

} // namespace redlock::sql
