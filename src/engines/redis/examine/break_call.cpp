// client::async_break.

#include "client/client_core.hpp"
#include "engines/redis/dialect/server_error.hpp"
#include "lease/call.hpp"
#include "lease/lock_request.hpp"

#include <redlock/detail/operations.hpp>

namespace redlock {
namespace lock {

namespace {

/// Deletes a key on each node if it still has the value that was shown, and waits for all of them: each
/// answers or lets its deadline pass.
class break_call final : public completing_call<break_report>, private node::reply_receiver {
public:
    break_call(std::shared_ptr<lock::runtime> r, key_report&& shown, handler&& h)
        : completing_call(std::move(r), std::move(h)), shown_(std::move(shown)) {}

private:
    enum kind : std::uint32_t { native, by_script, kinds };

    void begin() override {
        errc refusal = check();
        if (refusal == errc{} && runtime().closing()) refusal = errc::closed;
        if (refusal != errc{}) {
            complete(make_error_code(refusal), break_report());
            return end();
        }
        report_.key = shown_.key;
        report_.nodes.resize(runtime().nodes());
        for (std::uint32_t index = 0; index < runtime().nodes(); ++index) {
            report_.nodes[index].node = runtime().session_of(index).node().name();
            if (value_for(index)) send(index);
        }
        finish_when_answered();
    }

    /// Whether it is a report on a lock, made by a client with these nodes and this prefix.
    errc check() {
        const std::string& prefix = runtime().settings().key_prefix;
        if (!shown_.key.starts_with(prefix)) return errc::invalid_key;
        const std::string_view key = std::string_view(shown_.key).substr(prefix.size());
        if (const errc refusal = check_key(key, prefix.size()); refusal != errc{}) return refusal;
        if (shown_.nodes.size() != runtime().nodes()) return errc::invalid_option;
        for (std::uint32_t index = 0; index < runtime().nodes(); ++index)
            if (shown_.nodes[index].node != runtime().session_of(index).node().name())
                return errc::invalid_option;
        return {};
    }

    /// What was shown of the node itself or, where it did not answer, of a majority; null when it was
    /// nothing.
    const std::string* value_for(std::uint32_t index) const noexcept {
        const node_key_report& told = shown_.nodes[index];
        const std::optional<std::string>& value = told.error ? shown_.holder : told.value;
        return value ? &*value : nullptr;
    }

    void send(std::uint32_t index) {
        session& to = runtime().session_of(index);
        const kind way = to.deletes_natively() ? native : by_script;
        const addressee back{
            .receiver = this, .tag = index * kinds + way, .deadline = runtime().deadline(), .cleanup = true};
        encoding& bytes = runtime().bytes();
        bytes.begin();
        const errc refusal = to.delete_if(shown_.key, *value_for(index), back, bytes);
        if (refusal == errc{})
            ++outstanding_;
        else
            fail(index, refusal);
    }

    void fail(std::uint32_t index, errc why) noexcept {
        report_.nodes[index].outcome = removal::failed;
        report_.nodes[index].error = make_error_code(why);
    }

    void on_reply(std::uint32_t tag, const resp::reply& reply) noexcept override {
        const std::uint32_t index = tag / kinds;
        session& from = runtime().session_of(index);
        if (!reply.is(resp::kind::error)) {
            if (tag % kinds == by_script) from.script_ran(script::release);
            report_.nodes[index].outcome = reply.integer() == 1 ? removal::removed : removal::changed;
        } else if (!try_another_way(from, tag % kinds, reply.text())) {
            fail(index, meaning_of_server_error(reply.text()));
        } else if (completed()) {
            fail(index, errc::server_error);
        } else {
            send(index);
        }
        one_less();
    }

    /// Takes note of what the server does not know. False when the error says something else.
    static bool try_another_way(session& from, std::uint32_t way, std::string_view words) noexcept {
        if (meaning_of_server_error(words) != errc::server_error) return false;
        if (way == native)
            from.release_by_script();
        else if (says_no_script(words))
            from.script_unknown(script::release);
        else
            return false;
        return true;
    }

    void on_failure(std::uint32_t tag, errc why) noexcept override {
        fail(tag / kinds, why);
        one_less();
    }

    void one_less() {
        --outstanding_;
        finish_when_answered();
    }

    void finish_when_answered() {
        if (outstanding_ > 0) return;
        if (!completed()) {
            for (const node_break_report& told : report_.nodes)
                report_.removed += told.outcome == removal::removed;
            complete({}, std::move(report_));
        }
        end();
    }

    // The answers are waited for all the same, since they come back to this object.
    void cancel() noexcept override {
        if (!completed()) complete(boost::asio::error::operation_aborted, break_report());
    }

    const key_report shown_;
    break_report report_;
    unsigned outstanding_ = 0;
};

} // namespace

} // namespace lock

void detail::start_break(const core_pointer& core, key_report shown, break_handler handler,
                         asio::cancellation_slot slot) {
    lock::call::send(std::make_shared<lock::break_call>(lock::client_core::runtime_of(core), std::move(shown),
                                                        std::move(handler)),
                     slot);
}

} // namespace redlock
