// client::async_lock and async_try_lock.

#include "lease/lock_call.hpp"

#include "lease/acquire/acquire.hpp"
#include "lease/held_lease.hpp"
#include "lease/refusal_text.hpp"
#include "lease/request_text.hpp"
#include "turn/outcome.hpp"

#include <redlock/detail/key_text.hpp>

#include <variant>

namespace redlock::lock {

errc lock_call::fault_of_request(const lock_request& asked) {
    const lock::settings& settings = lessee().settings();
    const unsigned permits = asked.options.permits;
    if (const errc e = check_key(asked.key, settings.key_prefix.size() + room_for_permits(permits));
        e != errc{})
        return e;
    if (const errc e = check_options(asked.options, settings.drift); e != errc{}) return e;
    const redlock::mode mode = asked.options.mode;
    if (asked.has_owner && (asked.owner == 0 || permits > 1 || mode == mode::read))
        return errc::invalid_option;
    if (mode != mode::exclusive && permits > 1) return errc::invalid_option;
    if (!lessee().engine().supports(mode) || !keeps_as_asked(lessee().engine(), asked.options))
        return errc::unsupported;
    return lessee().closing() ? errc::closed : errc{};
}

void lock_call::refuse(errc why, const lock_request& asked) {
    lessee().counts().call_refused(why);
    explain(why, [&] {
        if (why == errc::invalid_option && asked.has_owner && asked.owner == 0)
            return std::string("lock_options::owner was moved from: it is nobody");
        if (why == errc::invalid_option && asked.has_owner && asked.options.permits > 1)
            return std::string("lock_options::owner needs lock_options::permits to be 1");
        if (why == errc::invalid_option && asked.has_owner && asked.options.mode == mode::read)
            return std::string("lock_options::owner cannot be given to read");
        if (why == errc::invalid_option && asked.options.mode != mode::exclusive && asked.options.permits > 1)
            return std::string("lock_options::mode needs lock_options::permits to be 1");
        if (why == errc::unsupported)
            return std::string(fault_text_of_engine(lessee().engine().supports(asked.options.mode)));
        return fault_text(why, asked.key, asked.options, lessee().settings().key_prefix.size(),
                          lessee().settings().drift);
    });
    complete(make_error_code(why), lease());
    end();
}

void lock_call::complete_with(detail::lease_pointer held) { complete(turn::success, lease(std::move(held))); }

namespace {

class single_call final : public lock_call, private acquire_listener {
public:
    single_call(std::shared_ptr<lock::lessee> l, std::string_view key, const lock_options& options)
        : lock_call(std::move(l)), state_(std::in_place_type<lock_request>, key, options) {}
    single_call(const single_call& other)
        : lock_call(other.shared_lessee()), state_(*std::get_if<lock_request>(&other.state_)) {}

    lock_call* another() const override { return make<single_call>(*this); }

private:
    void begin() override {
        lock_request& asked = *std::get_if<lock_request>(&state_);
        if (const errc refusal = fault_of_request(asked); refusal != errc{}) return refuse(refusal, asked);
        acquire_listener& listener = *this;
        auto wanted = lessee().engine().claim_key(lessee().settings().key_prefix,
                                                  engine::key_name(std::move(asked.key), asked.options.mode),
                                                  asked.options.fencing);
        // What was asked for is gone before the acquire is there.
        const lock_options options = asked.options;
        std::stop_source stop = std::move(asked.stop);
        state_.emplace<acquire>(shared_lessee(), std::move(wanted), options, std::move(stop), listener)
            .start();
    }

    void cancel() noexcept override {
        if (auto* under_way = std::get_if<acquire>(&state_); under_way && !completed()) under_way->cancel();
    }

    void granted(detail::lease_pointer held) noexcept override { complete_with(std::move(held)); }
    void not_granted(errc why, const engine::failure* more) noexcept override {
        if (why == errc{}) return complete(boost::asio::error::operation_aborted, lease());
        acquire& failed = *std::get_if<acquire>(&state_);
        explain(why, [&] { return refusal_text(failed.told(), why, more); });
        complete(make_error_code(why), lease());
    }
    void acquire_over() noexcept override { end(); }

    std::variant<lock_request, acquire> state_; ///< one in the place of the other
};

} // namespace

lock_call* make_single_call(const std::shared_ptr<lessee>& l, std::string_view key,
                            const lock_options& options) {
    return lock_call::make<single_call>(l, key, options);
}

} // namespace redlock::lock
