// client::async_check.

#include "client/client_core.hpp"
#include "engines/redis/dialect/server_error.hpp"
#include "engines/redis/quorum/round.hpp"
#include "lease/call.hpp"
#include "lease/lock_request.hpp"

#include <redlock/detail/operations.hpp>

#include <fmt/format.h>

namespace redlock {
namespace lock {

namespace {

/// Asks all nodes for the value of a key, which ends with the fencing token of its holder.
class check_call final : public completing_call<>, private round {
public:
    check_call(std::shared_ptr<lock::runtime> r, std::string&& key, std::uint64_t fencing_token, handler&& h)
        : completing_call(std::move(r), std::move(h)),
          round(runtime()),
          key_(std::move(key)),
          ending_(fmt::format(":{}", fencing_token)) {}

private:
    void begin() override {
        lock::runtime& on = runtime();
        const std::string& prefix = on.settings().key_prefix;
        errc refusal = check_key(key_, prefix.size());
        if (refusal == errc{} && on.closing()) refusal = errc::closed;
        if (refusal != errc{}) {
            complete(make_error_code(refusal));
            return end();
        }
        key_.insert(0, prefix);
        round::begin(on.nodes());
        on.bytes().begin();
        for (std::uint32_t index = 0; index < on.nodes(); ++index)
            sent(index, on.session_of(index).get(
                            key_, {.receiver = this, .tag = index, .deadline = on.deadline()}, on.bytes()));
        const bool is_over = settled();
        end_of_sending();
        if (is_over) end();
    }

    void answered(std::uint32_t index, const resp::reply& reply) override {
        if (reply.is(resp::kind::error)) return fail(index, meaning_of_server_error(reply.text()));
        vote(index, reply.text().ends_with(ending_) ? core::vote::yes : core::vote::no);
    }

    core::verdict judge() const noexcept override { return votes().decide_on_certainty(); }

    void decided() noexcept override {
        if (completed()) return;
        switch (verdict()) {
        case core::verdict::granted:
            return complete({});
        case core::verdict::refused:
            return complete(make_error_code(errc::lease_lost));
        default:
            return complete(make_error_code(failure()));
        }
    }

    void all_settled() noexcept override { end(); }

    // The answers are waited for all the same, since they come back to this object.
    void cancel() noexcept override {
        if (!completed()) complete(boost::asio::error::operation_aborted);
    }

    std::string key_;
    const std::string ending_;
};

} // namespace

} // namespace lock

void detail::start_check(const core_pointer& core, std::string key, std::uint64_t fencing_token,
                         error_handler handler, asio::cancellation_slot slot) {
    lock::call::send(std::make_shared<lock::check_call>(lock::client_core::runtime_of(core), std::move(key),
                                                        fencing_token, std::move(handler)),
                     slot);
}

} // namespace redlock
