#include "stock.hpp"

void make_stock(database& rows) {
    rows.run("SET client_min_messages = warning"); // no notice that there was no such table
    rows.run("DROP TABLE IF EXISTS redlock_stock");
    rows.run("CREATE TABLE redlock_stock (item text PRIMARY KEY, pieces bigint NOT NULL,"
             " fence bigint NOT NULL DEFAULT 0, version bigint NOT NULL DEFAULT 0)");
    rows.run("INSERT INTO redlock_stock (item, pieces)"
             " VALUES ('fenced', 10), ('bare', 10), ('optimistic', 10)");
}

// Reading raises the fence, too. Were it raised by writing only, a late write that came between the read and
// the write of the next holder would be taken, and then overwritten by somebody who never saw it.
//
// `<=` and not `<`, because a lease comes back with the same token: to write what it read about. No other
// lease has that token. `<` is right where a lease sends one statement only; it then refuses also the second
// copy of a statement that was sent again because its answer got lost.
outcome read_fenced(database& rows, std::int64_t token) {
    return rows.run("UPDATE redlock_stock SET fence = $1 WHERE item = 'fenced' AND fence <= $1"
                    " RETURNING pieces",
                    {token});
}

// One statement compares and writes: nothing can come between.
int write_fenced(database& rows, std::int64_t token, std::int64_t pieces) {
    return rows
        .run("UPDATE redlock_stock SET pieces = $2, fence = $1 WHERE item = 'fenced' AND fence <= $1",
             {token, pieces})
        .rows();
}

std::int64_t read_bare(database& rows) {
    return rows.run("SELECT pieces FROM redlock_stock WHERE item = 'bare'").number(0);
}

int write_bare(database& rows, std::int64_t pieces) {
    return rows.run("UPDATE redlock_stock SET pieces = $1 WHERE item = 'bare'", {pieces}).rows();
}

versioned read_optimistic(database& rows) {
    const auto row = rows.run("SELECT pieces, version FROM redlock_stock WHERE item = 'optimistic'");
    return {row.number(0), row.number(1)};
}

int write_optimistic(database& rows, versioned seen, std::int64_t pieces) {
    return rows
        .run("UPDATE redlock_stock SET pieces = $2, version = version + 1"
             " WHERE item = 'optimistic' AND version = $1",
             {seen.version, pieces})
        .rows();
}
