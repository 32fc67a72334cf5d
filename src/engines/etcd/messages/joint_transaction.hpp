#pragma once

#include "engines/etcd/messages/fault.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::etcd::messages {

/// What can be done within a transaction, by the number of its field; that of its result is the same.
enum class operation_kind : std::uint8_t { removal = 3, transaction = 4 };

/// Adds one operation, of which there is the message already, to those that a transaction carries out
/// whatever it meets with.
void append_operation(std::string& to, operation_kind kind, std::string_view message);

/// The answers to the `count` operations of such a transaction, each as if it had been asked for by itself:
/// with the header of the whole. Sets `into` on `fault::none` alone; as many answers as there must be are
/// `fault::malformed` when they are not there. Throws nothing but std::bad_alloc.
fault read_operations(std::string_view bytes, std::size_t count, std::vector<std::string>& into);

} // namespace redlock::etcd::messages
