#pragma once

#include "engine/renewal.hpp"
#include "engines/zookeeper/claim.hpp"
#include "engines/zookeeper/session/call.hpp"
#include "turn/live_list.hpp"

#include <redlock/detail/pool.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace redlock::zookeeper {

class zookeeper_engine;

/// Says why the servers did not do what they were asked for.
class ensemble_failure final : public engine::failure {
public:
    explicit ensemble_failure(std::string sentence) : sentence_(std::move(sentence)) {}
    std::string describe(std::string_view done) const override;

private:
    const std::string sentence_;
};

/// As callers are told it: servers that are out of reach are a quorum that is not there.
constexpr errc told_as(errc why) noexcept {
    const bool may_pass =
        why == errc::node_timeout || why == errc::node_unavailable || why == errc::protocol_error;
    return may_pass ? errc::no_quorum : why;
}

/// Which operation of a multi spoiled it, as far as that is told; `size` where none did.
std::size_t first_fault(const std::vector<operation_result>& all) noexcept;
/// What it said.
fault fault_in(const std::vector<operation_result>& all) noexcept;

/// A renewal, or a new fencing token, for somebody who may let go of it. Owns itself.
class errand_of_claim : public engine::errand, public turn::list_hook, public detail::pooled {
public:
    explicit errand_of_claim(claim_pointer held) : of(std::move(held)) {}
    virtual ~errand_of_claim() = default;

    /// The last call.
    void answer(engine::outcome how, core::instant sent_at, errc why, const engine::failure* more) noexcept;
    void let_go() noexcept override;

    bool is_let_go() const noexcept { return is_let_go_; }

    const claim_pointer of;
    bool sent = false;

protected:
    virtual void tell(engine::outcome how, core::instant sent_at, errc why,
                      const engine::failure* more) noexcept = 0;

private:
    bool is_let_go_ = false;
    bool telling_ = false;
};

class renewal final : public errand_of_claim {
public:
    renewal(claim_pointer held, std::chrono::milliseconds new_life, engine::renewal_listener& told)
        : errand_of_claim(std::move(held)), life(new_life), told_(told) {}

    const std::chrono::milliseconds life;
    std::int32_t over = 0; ///< the version of the record that it was sent for

private:
    void tell(engine::outcome how, core::instant sent_at, errc why,
              const engine::failure* more) noexcept override {
        told_.renewal_decided(how, sent_at, why, more);
    }
    engine::renewal_listener& told_;
};

class token_advance final : public errand_of_claim {
public:
    token_advance(claim_pointer held, engine::token_listener& told)
        : errand_of_claim(std::move(held)), told_(told) {}

private:
    void tell(engine::outcome how, core::instant, errc why, const engine::failure* more) noexcept override {
        told_.token_decided(how, of->has().fence, why, more);
    }
    engine::token_listener& told_;
};

} // namespace redlock::zookeeper
