#pragma once

#include <redlock/leadership.hpp>
#include <redlock/lease_set.hpp>
#include <redlock/lock_options.hpp>

#include <boost/asio/cancellation_signal.hpp>
#include <boost/system/error_code.hpp>

#include <functional>
#include <string>
#include <vector>

namespace redlock::sim {

class process;

using lock_handler = std::function<void(const boost::system::error_code&, lease)>;
using leader_handler = std::function<void(const boost::system::error_code&, leadership)>;
using set_handler = std::function<void(const boost::system::error_code&, lease_set)>;

/// `client::async_lock` of a client that lives in a process of the simulated world.
void call_for_lock(process& in, const std::string& key, const lock_options& options, lock_handler handler,
                   boost::asio::cancellation_slot slot);
/// Likewise `client::async_lock_all`.
void call_for_set(process& in, std::vector<std::string> keys, const lock_options& options,
                  set_handler handler, boost::asio::cancellation_slot slot);

/// Likewise `client::async_campaign`.
void call_for_lead(process& in, const std::string& name, const std::string& value,
                   const lock_options& options, leader_handler handler, boost::asio::cancellation_slot slot);

} // namespace redlock::sim
