// client::async_check, async_inspect, async_list, async_break and async_examine.

#include "engine/engine.hpp"
#include "lease/lock_request.hpp"
#include "lease/question_call.hpp"
#include "lease/request_text.hpp"

#include <redlock/detail/operations.hpp>

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace redlock {
namespace lock {

namespace {

class check_call final : public question_call<engine::no_report> {
public:
    check_call(std::shared_ptr<lock::lessee> l, std::string&& key, std::uint64_t fencing_token, handler&& h)
        : question_call(std::move(l), std::move(h)), key_(std::move(key)), fencing_token_(fencing_token) {}

private:
    errc check() const override { return check_key(key_, prefix().size()); }
    engine::question_pointer ask(engine::engine& whom) override {
        return whom.check(prefix() + key_, fencing_token_, *this);
    }
    std::string text_of_fault(errc why) const override {
        return why == errc::closed ? "the client is closed and checks no lock " + quoted_key(key_)
                                   : fault_text_of_key(key_, prefix().size());
    }
    std::string text_of_failure(const boost::system::error_code& why,
                                const engine::failure* more) const override {
        if (why == errc::lease_lost)
            return fmt::format("the lock {} is not held with the fencing token {} any more", quoted_key(key_),
                               fencing_token_);
        return more ? more->describe("said who holds the lock " + quoted_key(key_)) : why.message();
    }
    const std::string& prefix() const noexcept { return shared_lessee()->settings().key_prefix; }

    const std::string key_;
    const std::uint64_t fencing_token_;
};

class inspect_call final : public question_call<key_report, key_report> {
public:
    inspect_call(std::shared_ptr<lock::lessee> l, std::string&& key, handler&& h)
        : question_call(std::move(l), std::move(h)), key_(std::move(key)) {}

private:
    errc check() const override { return check_key(key_, prefix().size()); }
    engine::question_pointer ask(engine::engine& whom) override {
        return whom.inspect(prefix() + key_, *this);
    }
    std::string text_of_fault(errc why) const override {
        return why == errc::closed ? "the client is closed and inspects no lock " + quoted_key(key_)
                                   : fault_text_of_key(key_, prefix().size());
    }
    const std::string& prefix() const noexcept { return shared_lessee()->settings().key_prefix; }

    const std::string key_;
};

class list_call final : public question_call<key_list, key_list> {
public:
    list_call(std::shared_ptr<lock::lessee> l, std::string&& beginning, handler&& h)
        : question_call(std::move(l), std::move(h)), beginning_(std::move(beginning)) {}

private:
    errc check() const override { return shared_lessee()->engine().lists() ? errc{} : errc::unsupported; }
    engine::question_pointer ask(engine::engine& whom) override {
        return whom.list(prefix() + beginning_, most_listed_keys, *this);
    }
    void came(key_list& report) noexcept override {
        for (std::string& key : report.keys)
            key.erase(0, prefix().size());
    }
    std::string text_of_fault(errc why) const override {
        return why == errc::closed ? "the client is closed and lists no locks"
                                   : "the engine that config::nodes names cannot search for keys";
    }
    std::string text_of_failure(const boost::system::error_code& why,
                                const engine::failure* more) const override {
        return more ? more->describe("said which locks begin with " + quoted_key(beginning_)) : why.message();
    }
    const std::string& prefix() const noexcept { return shared_lessee()->settings().key_prefix; }

    const std::string beginning_;
};

class break_call final : public question_call<break_report, break_report> {
public:
    break_call(std::shared_ptr<lock::lessee> l, key_report&& shown, handler&& h)
        : question_call(std::move(l), std::move(h)), shown_(std::move(shown)) {}

private:
    /// Whether it is a report on a lock, made by a client with this prefix.
    errc check() const override {
        const std::string& prefix = shared_lessee()->settings().key_prefix;
        if (!shown_.key.starts_with(prefix)) return errc::invalid_key;
        return check_key(std::string_view(shown_.key).substr(prefix.size()), prefix.size());
    }
    engine::question_pointer ask(engine::engine& whom) override { return whom.remove(shown_, *this); }
    std::string text_of_fault(errc why) const override {
        const std::string& prefix = shared_lessee()->settings().key_prefix;
        const std::string key = quoted_key(shown_.key);
        if (why == errc::closed) return "the client is closed and breaks no lock " + key;
        if (!shown_.key.starts_with(prefix))
            return fmt::format("the key {} of the report given to async_break does not begin with {} "
                               "(config::key_prefix)",
                               key, quoted_key(prefix));
        return fault_text_of_key(std::string_view(shown_.key).substr(prefix.size()), prefix.size());
    }
    std::string text_of_failure(const boost::system::error_code& why, const engine::failure*) const override {
        if (why != errc::invalid_option) return why.message();
        return fmt::format("the report given to async_break, of the key {}, is not one on the nodes of this "
                           "client",
                           quoted_key(shown_.key));
    }

    key_report shown_;
};

class examine_call final
    : public question_call<std::vector<node_examination>, std::vector<node_examination>> {
public:
    using question_call::question_call;
    examine_call(std::shared_ptr<lock::lessee> l, handler&& h) : question_call(std::move(l), std::move(h)) {}

private:
    errc check() const override { return errc{}; }
    std::string text_of_fault(errc) const override { return "the client is closed and examines no node"; }
    engine::question_pointer ask(engine::engine& whom) override { return whom.examine(*this); }
};

} // namespace

} // namespace lock

void detail::start_check(const core_pointer& core, std::string key, std::uint64_t fencing_token,
                         error_handler handler, asio::cancellation_slot slot) {
    lock::send_question<lock::check_call>(core, std::move(handler), slot, std::move(key), fencing_token);
}

void detail::start_inspect(const core_pointer& core, std::string key, inspect_handler handler,
                           asio::cancellation_slot slot) {
    lock::send_question<lock::inspect_call>(core, std::move(handler), slot, std::move(key));
}

void detail::start_list(const core_pointer& core, std::string beginning, list_handler handler,
                        asio::cancellation_slot slot) {
    lock::send_question<lock::list_call>(core, std::move(handler), slot, std::move(beginning));
}

void detail::start_break(const core_pointer& core, key_report shown, break_handler handler,
                         asio::cancellation_slot slot) {
    lock::send_question<lock::break_call>(core, std::move(handler), slot, std::move(shown));
}

void detail::start_examine(const core_pointer& core, examine_handler handler, asio::cancellation_slot slot) {
    lock::send_question<lock::examine_call>(core, std::move(handler), slot);
}

} // namespace redlock
