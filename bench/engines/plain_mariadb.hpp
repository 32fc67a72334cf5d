#pragma once

#include "load.hpp"

#include <cstdint>
#include <string>

namespace bench::engines {

/// What people do with MariaDB: a text, in which `{0}` stands for the name of the key, that changes a row, or
/// has one with 1, where the caller has got it; and one that gives it back.
struct plain_texts {
    const char* lock;
    const char* unlock;
};

/// A row for each lock, as ShedLock and its like have it, and what makes the table.
extern const plain_texts plain_mariadb_rows;
extern const char* const plain_mariadb_schema;
/// `GET_LOCK`, which is of the session and writes nothing.
extern const plain_texts plain_get_lock;

/// A closed loop of threads that wait for libmariadb. The server listens on that port of 127.0.0.1 and knows
/// the user `redlock` without a password. Throws std::runtime_error where it cannot connect.
sample run_plain_mariadb(std::uint16_t port, const plain_texts& with, const load& plan);

} // namespace bench::engines
