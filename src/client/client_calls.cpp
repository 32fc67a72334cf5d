// What client and lease do that is not a call on a key: open, close, look.

#include "client/client_core.hpp"
#include "lease/call.hpp"
#include "lease/held_lease.hpp"

#include <redlock/detail/operations.hpp>
#include <redlock/lease.hpp>
#include <redlock/version.hpp>

#include <boost/asio/system_executor.hpp>

#define REDLOCK_TEXT_OF(x) #x
#define REDLOCK_VERSION_TEXT(major, minor, patch)                                                            \
    REDLOCK_TEXT_OF(major) "." REDLOCK_TEXT_OF(minor) "." REDLOCK_TEXT_OF(patch)

namespace redlock {
namespace lock {

namespace {

/// client::async_close. Never cancelled: it is the clean-up.
class close_call final : public completing_call<> {
public:
    close_call(std::shared_ptr<lock::lessee> l, handler&& h) : completing_call(std::move(l), std::move(h)) {}

private:
    void begin() override {
        desk().close([this] {
            complete({});
            end();
        });
    }
    void cancel() noexcept override {}
    void client_is_gone() override { complete_for_nobody<>(take_handler(), {}); }
};

} // namespace

} // namespace lock

const char* version() noexcept {
    return REDLOCK_VERSION_TEXT(REDLOCK_VERSION_MAJOR, REDLOCK_VERSION_MINOR, REDLOCK_VERSION_PATCH);
}

namespace detail {

core_pointer open_client(asio::any_io_executor executor, config settings) {
    auto core = std::make_shared<lock::client_core>(std::move(executor), std::move(settings));
    core->start();
    return core;
}

void close_client(const core_pointer& core) noexcept {
    if (core) core->let_go();
}

const asio::any_io_executor& executor_of_nobody() {
    static const asio::any_io_executor nobodys = asio::system_executor();
    return nobodys;
}

const asio::any_io_executor& executor_of(const core_pointer& core) {
    return core ? core->executor() : executor_of_nobody();
}

const asio::any_io_executor& executor_of(const lease_pointer& held) {
    return held ? held->owner()->desk().executor() : executor_of_nobody();
}

metrics_snapshot metrics_of(const core_pointer& core) { return core ? core->metrics() : metrics_snapshot(); }

void start_close(const core_pointer& core, error_handler handler) {
    if (!core) return lock::complete_for_nobody<>(std::move(handler), {});
    lock::call::send(std::make_shared<lock::close_call>(lock::lessee_of(core), std::move(handler)), {});
}

} // namespace detail

void lease::let_go() noexcept { held_->let_go(); }

bool lease::valid() const noexcept { return held_ && held_->valid(); }

std::chrono::nanoseconds lease::remaining() const noexcept {
    return held_ ? held_->remaining() : std::chrono::nanoseconds(0);
}

std::string_view lease::key() const noexcept { return held_ ? held_->key() : std::string_view(); }

std::optional<std::uint64_t> lease::fencing_token() const noexcept {
    if (!held_ || held_->fencing_token() == 0) return std::nullopt;
    return held_->fencing_token();
}

unsigned lease::slot() const noexcept { return held_ ? held_->slot() : 0; }

std::stop_token lease::stop_token() const noexcept { return held_ ? held_->stop_token() : std::stop_token(); }

} // namespace redlock
