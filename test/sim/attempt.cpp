#include "sim/attempt.hpp"

#include "engines/redis/quorum/claim.hpp"
#include "lease/lock_request.hpp"
#include "sim/process.hpp"

#include <fmt/format.h>

#include <utility>

namespace redlock::sim {

attempt::attempt(process& in, attempt_listener& listener, std::string key, const lock_options& options,
                 std::stop_source stop)
    : process_(in),
      listener_(listener),
      key_(std::move(key)),
      options_(options),
      stop_(std::move(stop)),
      began_at_(in.host().clock().now()),
      operation_(in.around().checker.began(in.client(), in.around().weather.config.key_prefix + key_)) {}

void attempt::start() {
    process_.around().trace("client {} operation {}: lock {} (ttl {} ms, {}{})", process_.client(),
                            operation_, key_, options_.ttl.count(),
                            options_.wait == forever ? "waits"
                                                     : fmt::format("wait {}", options_.wait.count()),
                            options_.renew ? ", renews" : "");
    process_.turns().calls().push(*this);
}

void attempt::arrive() noexcept {
    lock::lessee& of = *process_.lessee();
    const errc refusal = lock::check_options(options_, of.settings().drift);
    if (refusal != errc{} || of.closing()) {
        not_granted(refusal != errc{} ? refusal : errc::closed, nullptr);
        return acquire_over();
    }
    lock::acquire_listener& listener = *this;
    auto claim = of.engine().claim_key(of.settings().key_prefix, detail::key_text(key_), options_.fencing);
    acquire_.emplace(process_.lessee(), std::move(claim), options_, std::move(stop_), listener);
    acquire_->start();
}

void attempt::cancel() {
    if (!acquire_) return;
    process_.around().trace("client {} operation {}: cancel", process_.client(), operation_);
    process_.turn([this] { acquire_->cancel(); });
}

void attempt::granted(detail::lease_pointer held) noexcept {
    const surroundings& around = process_.around();
    const std::uint64_t fence = held->fencing_token();
    const std::string_view token = static_cast<const redis::claim&>(*held->claim()).token();
    around.trace("client {} operation {}: granted {} for {} us, fencing token {}", process_.client(),
                 operation_, key_, held->remaining().count() / 1000, fence);
    std::optional<nanoseconds> began_asking;
    if (fence != 0 || options_.fencing)
        began_asking =
            process_.fences().began_asking(around.weather.config.key_prefix + key_, std::string(token));
    around.checker.granted(operation_,
                           {.valid = [held] { return held->valid(); },
                            .stop_requested = [token = held->stop_token()] { return token.stop_requested(); },
                            .attentive = [this_process = &process_] { return this_process->is_attentive(); },
                            .remaining = [held] { return held->remaining(); },
                            .token = std::string(token),
                            .ttl = options_.ttl,
                            .renews = options_.renew && options_.max_hold == forever,
                            .name = around.weather.config.key_prefix + key_});
    if (began_asking) around.checker.fenced(operation_, fence, *began_asking);
    listener_.attempt_granted(std::move(held));
}

void attempt::not_granted(errc why, const redlock::engine::failure*) noexcept {
    const std::string reason = why == errc{} ? "cancelled" : make_error_code(why).message();
    process_.around().trace("client {} operation {}: not granted, {}", process_.client(), operation_, reason);
    process_.around().checker.not_granted(operation_, reason);
    const nanoseconds waited = process_.host().clock().now() - began_at_;
    if (why == errc::wait_timeout && (options_.wait == forever || waited < options_.wait))
        process_.around().checker.breach(fmt::format("I6: operation {} waited for {} us, and that was all",
                                                     operation_, waited.count() / 1000));
    listener_.attempt_failed();
}

void attempt::acquire_over() noexcept {
    process_.around().checker.acquire_over(operation_);
    listener_.attempt_over(*this);
}

} // namespace redlock::sim
