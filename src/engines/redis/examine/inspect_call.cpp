// client::async_inspect.

#include "client/client_core.hpp"
#include "core/quorum/tally.hpp"
#include "engines/redis/dialect/server_error.hpp"
#include "lease/call.hpp"
#include "lease/lock_request.hpp"

#include <redlock/detail/operations.hpp>

#include <algorithm>
#include <charconv>
#include <map>

namespace redlock {
namespace lock {

namespace {

/// Asks each node for the value and the life of a key, and waits for all of them: each answers or lets its
/// deadline pass.
class inspect_call final : public completing_call<key_report>, private node::reply_receiver {
public:
    inspect_call(std::shared_ptr<lock::runtime> r, std::string&& key, handler&& h)
        : completing_call(std::move(r), std::move(h)), key_(std::move(key)) {}

private:
    enum kind : std::uint32_t { value, life, fence, listeners, kinds };

    void begin() override {
        const std::string& prefix = runtime().settings().key_prefix;
        errc refusal = check_key(key_, prefix.size());
        if (refusal == errc{} && runtime().closing()) refusal = errc::closed;
        if (refusal != errc{}) {
            complete(make_error_code(refusal), key_report());
            return end();
        }
        report_.key = prefix + key_;
        report_.nodes.resize(runtime().nodes());
        for (std::uint32_t index = 0; index < runtime().nodes(); ++index) {
            report_.nodes[index].node = runtime().session_of(index).node().name();
            for (const kind what : {value, life, fence, listeners})
                ask(index, what);
        }
        finish_when_answered();
    }

    void ask(std::uint32_t index, kind what) {
        session& asked = runtime().session_of(index);
        const addressee to{.receiver = this, .tag = index * kinds + what, .deadline = runtime().deadline()};
        encoding& bytes = runtime().bytes();
        bytes.begin();
        const errc refusal = what == value   ? asked.get(report_.key, to, bytes)
                             : what == life  ? asked.remaining_life(report_.key, to, bytes)
                             : what == fence ? asked.fence_of(report_.key, to, bytes)
                                             : asked.count_listeners(report_.key, to, bytes);
        if (refusal == errc{})
            ++outstanding_;
        else
            report_.nodes[index].error = make_error_code(refusal);
    }

    void on_reply(std::uint32_t tag, const resp::reply& reply) noexcept override {
        node_key_report& told = report_.nodes[tag / kinds];
        // A user who takes locks need not have the right to read fences, or to count listeners.
        if (tag % kinds == listeners)
            told.listeners = number_in(reply);
        else if (tag % kinds == fence && says_no_permission(reply))
            told.fence.reset();
        else if (reply.is(resp::kind::error))
            told.error = make_error_code(meaning_of_server_error(reply.text()));
        else if (tag % kinds == value && reply.is(resp::kind::text))
            told.value = std::string(reply.text());
        else if (tag % kinds == life && reply.integer() >= 0)
            told.remaining = std::chrono::milliseconds(reply.integer());
        else if (tag % kinds == fence)
            told.fence = fence_in(reply);
        one_less();
    }

    void on_failure(std::uint32_t tag, errc why) noexcept override {
        report_.nodes[tag / kinds].error = make_error_code(why);
        one_less();
    }

    void one_less() {
        --outstanding_;
        finish_when_answered();
    }

    void finish_when_answered() {
        if (outstanding_ > 0) return;
        if (!completed()) {
            find_holder();
            count_waiting();
            complete({}, std::move(report_));
        }
        end();
    }

    static bool says_no_permission(const resp::reply& reply) {
        return reply.is(resp::kind::error) &&
               meaning_of_server_error(reply.text()) == errc::permission_denied;
    }

    // A score is a number of its own kind in RESP3, and text in RESP2.
    static std::optional<std::uint64_t> fence_in(const resp::reply& score) {
        if (score.is(resp::kind::real)) return static_cast<std::uint64_t>(score.real());
        const std::string_view text = score.text();
        std::uint64_t found = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), found);
        return error == std::errc() ? std::optional(found) : std::nullopt;
    }

    // The name of the channel, then the number.
    static std::optional<std::uint64_t> number_in(const resp::reply& counted) {
        const resp::reply number = counted.first().next();
        if (!number.is(resp::kind::integer) || number.integer() < 0) return std::nullopt;
        return static_cast<std::uint64_t>(number.integer());
    }

    void count_waiting() {
        for (const node_key_report& told : report_.nodes)
            report_.waiting = std::max(report_.waiting, told.listeners);
    }

    void find_holder() {
        std::map<std::string_view, unsigned> votes;
        for (const node_key_report& told : report_.nodes)
            if (told.value && ++votes[*told.value] == core::majority(runtime().nodes()))
                report_.holder = *told.value;
    }

    // The answers are waited for all the same, since they come back to this object.
    void cancel() noexcept override {
        if (!completed()) complete(boost::asio::error::operation_aborted, key_report());
    }

    std::string key_;
    key_report report_;
    unsigned outstanding_ = 0;
};

} // namespace

} // namespace lock

void detail::start_inspect(const core_pointer& core, std::string key, inspect_handler handler,
                           asio::cancellation_slot slot) {
    lock::call::send(std::make_shared<lock::inspect_call>(lock::client_core::runtime_of(core), std::move(key),
                                                          std::move(handler)),
                     slot);
}

} // namespace redlock
