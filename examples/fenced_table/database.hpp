#pragma once

#include <cstdint>
#include <libpq-fe.h>
#include <memory>
#include <string>
#include <vector>

struct close_connection {
    void operator()(PGconn* connection) const noexcept { PQfinish(connection); }
};
struct clear_result {
    void operator()(PGresult* result) const noexcept { PQclear(result); }
};

/// What a statement did.
class outcome {
public:
    explicit outcome(PGresult* result) noexcept : result_(result) {}

    /// How many rows it changed, or returned when it changes none.
    int rows() const;

    /// A number in the first row it returned. Throws `std::out_of_range` when it returned no row.
    std::int64_t number(int column) const;

private:
    std::unique_ptr<PGresult, clear_result> result_;
};

/// A connection to PostgreSQL. Its calls block the thread, for the sake of a short example: a server would
/// make them on a thread of their own, or use the asynchronous functions of libpq.
class database {
public:
    /// Connects. Throws `std::runtime_error` with the words of PostgreSQL, like `run`.
    explicit database(const std::string& conninfo);

    /// Runs one statement, in a transaction of its own. The values take the places of $1, $2 and so on.
    outcome run(const std::string& statement, const std::vector<std::int64_t>& values = {});

private:
    std::unique_ptr<PGconn, close_connection> connection_;
};
