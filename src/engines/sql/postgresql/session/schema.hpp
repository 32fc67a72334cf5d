#pragma once

#include <span>

namespace redlock::postgresql {

/// What is made in the database on first use, where nobody has before: the table, and the sequence that
/// fencing tokens are counted by. Each is a statement of its own.
std::span<const char* const> schema() noexcept;
/// Of these, the one that tables of earlier releases lack: a place for the label of a row's holder.
const char* addition_of_labels() noexcept;

} // namespace redlock::postgresql
