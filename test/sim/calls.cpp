#include "sim/calls.hpp"

#include "lease/lock_call.hpp"
#include "primitive/election/campaign_call.hpp"
#include "primitive/keys/set_call.hpp"
#include "primitive/permits/permit_call.hpp"
#include "sim/process.hpp"

#include <redlock/detail/handler_completion.hpp>

#include <memory>
#include <stop_token>
#include <utility>

namespace redlock::sim {

namespace {

/// A handler is moved and never copied: what it has a lease in need not be copyable.
template <class Result>
struct once {
    std::function<void(const boost::system::error_code&, Result)> handler;
    void operator()(const boost::system::error_code& outcome, Result result) {
        handler(outcome, std::move(result));
    }
};

// As primitive/prepared_lock.cpp has it.
lock::lock_call* make_call(process& in, const std::string& key, const lock_options& options) {
    if (options.owner) return lock::make_owned_call(in.lessee(), key, options);
    return options.permits > 1 || options.mode == mode::read
               ? primitive::make_permit_call(in.lessee(), key, options)
               : lock::make_single_call(in.lessee(), key, options);
}

} // namespace

void call_for_lock(process& in, const std::string& key, const lock_options& options, lock_handler handler,
                   boost::asio::cancellation_slot slot) {
    lock::lock_call& made = *make_call(in, key, options);
    made.set_handler(detail::erase_handler<lease>(once<lease>{std::move(handler)}, made.clients_executor()));
    lock::call::send(made, slot);
}

void call_for_set(process& in, std::vector<std::string> keys, const lock_options& options,
                  set_handler handler, boost::asio::cancellation_slot slot) {
    const auto& executor = in.lessee()->desk().executor();
    lock::call::send(std::make_shared<primitive::set_call>(
                         in.lessee(),
                         detail::erase_handler<lease_set>(once<lease_set>{std::move(handler)}, executor),
                         std::move(keys), options, std::stop_source(std::nostopstate)),
                     slot);
}

void call_for_lead(process& in, const std::string& name, const std::string& value,
                   const lock_options& options, leader_handler handler, boost::asio::cancellation_slot slot) {
    const auto& executor = in.lessee()->desk().executor();
    using primitive::campaign_call;
    lock::call::send(std::make_shared<campaign_call>(
                         in.lessee(),
                         detail::erase_handler<leadership>(once<leadership>{std::move(handler)}, executor),
                         campaign_call::request{.name = name,
                                                .value = value,
                                                .options = options,
                                                .stop = std::stop_source(std::nostopstate),
                                                .has_owner = false}),
                     slot);
}

} // namespace redlock::sim
