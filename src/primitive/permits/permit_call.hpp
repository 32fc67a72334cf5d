#pragma once

#include "lease/lock_call.hpp"

#include <memory>
#include <string_view>

namespace redlock::primitive {

/// client::async_lock and async_try_lock of a key that several may hold.
lock::lock_call* make_permit_call(const std::shared_ptr<lock::lessee>& l, std::string_view key,
                                  const lock_options& options);

} // namespace redlock::primitive
