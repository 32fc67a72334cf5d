#pragma once

#include "load.hpp"

#include <string>

namespace bench::engines {

/// Two statements, each with the key as its parameter. `lock` says in one row whether it has the key, or
/// waits until it has.
struct plain_statements {
    const char* lock;
    const char* unlock;
};

/// A row for each lock, as ShedLock and its like have it, and what makes the table.
extern const plain_statements plain_rows;
extern const char* const plain_rows_schema;
/// `pg_advisory_lock`.
extern const plain_statements plain_advisory;

/// A closed loop as an ordinary program has it: a thread and a connection of libpq for each caller, 64 at
/// most, which further callers would wait for. Throws std::runtime_error where it cannot connect.
sample run_plain(const std::string& conninfo, const plain_statements& with, const load& plan);

} // namespace bench::engines
