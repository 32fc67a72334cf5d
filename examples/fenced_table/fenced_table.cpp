// A table in PostgreSQL that refuses the write of a holder whose lease ran out without its noticing, beside
// the same table without a fence and with optimistic locking. Two writers sell: A one piece, B three.
//
//     fenced_table CONNINFO NODE...
//
// CONNINFO is what libpq takes, such as "host=localhost dbname=test". The table `redlock_stock` of that
// database is made anew and left there to look at.

#include "../nodes.hpp"
#include "stock.hpp"

#include <redlock/redlock.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <exception>
#include <iostream>

namespace asio = boost::asio;
using namespace std::chrono_literals;

struct writer {
    redlock::client locks;
    database rows;
};

// PostgreSQL has no unsigned numbers. Tokens stay below 2^53, so none is lost.
std::int64_t token_of(const redlock::lease& lease) {
    return static_cast<std::int64_t>(lease.fencing_token().value());
}

const char* verdict(int rows) { return rows == 0 ? "refused, 0 rows" : "taken, 1 row"; }

asio::awaitable<void> sell_under_the_lock(writer& a, writer& b) {
    // Without renewal the lease ends like that of a process that is stopped, or of a machine that is
    // suspended.
    auto stalled =
        co_await a.locks.async_lock("stock", {.ttl = 1s, .wait = 5s, .renew = false, .fencing = true});
    const auto old_token = token_of(stalled);
    const auto fenced_seen = read_fenced(a.rows, old_token).number(0);
    const auto bare_seen = read_bare(a.rows);
    std::cout << "lock: A with token " << old_token << " reads " << fenced_seen << '\n';

    // A does nothing now. B gets the lock when the lease of A has run out.
    auto lease = co_await b.locks.async_lock("stock", {.ttl = 5s, .wait = 15s, .fencing = true});
    const auto token = token_of(lease);
    const auto pieces = read_fenced(b.rows, token).number(0);
    std::cout << "lock: B with token " << token << " reads " << pieces << '\n';
    std::cout << "fenced: B writes " << pieces - 3 << ": " << verdict(write_fenced(b.rows, token, pieces - 3))
              << '\n';
    const auto bare_pieces = read_bare(b.rows);
    std::cout << "bare: B writes " << bare_pieces - 3 << ": " << verdict(write_bare(b.rows, bare_pieces - 3))
              << '\n';
    co_await lease.async_unlock();

    // A goes on where it was. It could ask `stalled.valid()`, but might be stalled again right after that.
    std::cout << "lock: A is late, its lease is " << (stalled.valid() ? "valid" : "over") << '\n';
    std::cout << "fenced: A writes " << fenced_seen - 1 << ": "
              << verdict(write_fenced(a.rows, old_token, fenced_seen - 1)) << '\n';
    std::cout << "bare: A writes " << bare_seen - 1 << ": " << verdict(write_bare(a.rows, bare_seen - 1))
              << ", the sale of B is lost\n";
}

// Enough where all that must not be done twice is one statement on one row. Who loses has worked for nothing:
// where the work is long, or goes to other places as well, let one at a time do it, under a lock and with a
// fence.
void sell_optimistically(writer& a, writer& b) {
    auto a_saw = read_optimistic(a.rows);
    const auto b_saw = read_optimistic(b.rows);
    std::cout << "optimistic: A and B read " << a_saw.pieces << '\n';
    std::cout << "optimistic: B writes " << b_saw.pieces - 3 << ": "
              << verdict(write_optimistic(b.rows, b_saw, b_saw.pieces - 3)) << '\n';
    for (int changed = 0; changed == 0;) {
        changed = write_optimistic(a.rows, a_saw, a_saw.pieces - 1);
        std::cout << "optimistic: A writes " << a_saw.pieces - 1 << ": " << verdict(changed) << '\n';
        if (changed == 0) a_saw = read_optimistic(a.rows);
    }
}

asio::awaitable<void> sell(writer& a, writer& b) {
    make_stock(a.rows);
    co_await sell_under_the_lock(a, b);
    sell_optimistically(a, b);
    co_await a.locks.async_close();
    co_await b.locks.async_close();
}

int main(int argc, char** argv) try {
    if (argc < 2) {
        std::cerr << "usage: fenced_table CONNINFO NODE...\n";
        return 2;
    }
    asio::io_context loop;
    const redlock::config settings{.nodes = nodes_from(argc - 1, argv + 1)};
    writer a{redlock::client(loop.get_executor(), settings), database(argv[1])};
    writer b{redlock::client(loop.get_executor(), settings), database(argv[1])};
    asio::co_spawn(loop, sell(a, b), [](std::exception_ptr failure) {
        if (failure) std::rethrow_exception(failure);
    });
    loop.run();
} catch (const std::exception& e) {
    std::cerr << "fenced_table: " << e.what() << '\n';
    return 1;
}
