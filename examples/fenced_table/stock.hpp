#pragma once

#include "database.hpp"

#include <cstdint>

// Three rows of one table, one for each way to write what depends on what was read before.

/// Makes the table anew, with 10 pieces in each row.
void make_stock(database& rows);

/// How many pieces are in the row "fenced", for the holder of this token; an outcome of 0 rows when somebody
/// with a higher token was here.
outcome read_fenced(database& rows, std::int64_t token);
/// Writes the row "fenced". Returns how many rows took it: 0 when somebody with a higher token was here.
int write_fenced(database& rows, std::int64_t token, std::int64_t pieces);

/// The row "bare" relies on the lock alone.
std::int64_t read_bare(database& rows);
int write_bare(database& rows, std::int64_t pieces);

/// The row "optimistic" needs no lock.
struct versioned {
    std::int64_t pieces;
    std::int64_t version;
};
versioned read_optimistic(database& rows);
/// Writes unless somebody has written since `seen` was read. Returns how many rows took it.
int write_optimistic(database& rows, versioned seen, std::int64_t pieces);
