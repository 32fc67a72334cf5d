// A transaction that cannot commit behind the back of whoever holds the lock by now: locks and data are in
// the same PostgreSQL, and the transaction begins with the guard, the row of the lock FOR KEY SHARE.
//
//     guarded_stock URI
//
// URI is that of a database, such as postgresql://test@localhost/test. The table `redlock_guarded_stock`
// there is made anew and left to look at. Two writers sell: A one piece, B three.

#include "fenced_table/database.hpp"

#include <redlock/redlock.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <cstdint>
#include <exception>
#include <iostream>
#include <string>

namespace asio = boost::asio;
using namespace std::chrono_literals;

// Whether the lease with this token is the last that was granted. If it is, nobody else is granted the lock
// until the transaction has ended.
bool guard(database& rows, const redlock::lease& lease) {
    const auto token = static_cast<std::int64_t>(lease.fencing_token().value());
    return rows.run("SELECT 1 FROM redlock WHERE key = 'stock' AND fence = $1 AND token IS NOT NULL FOR KEY "
                    "SHARE",
                    {token})
               .rows() == 1;
}

void sell(const char* who, database& rows, const redlock::lease& lease, std::int64_t pieces) {
    rows.run("BEGIN");
    const bool is_last = guard(rows, lease);
    if (is_last) rows.run("UPDATE redlock_guarded_stock SET pieces = pieces - $1", {pieces});
    rows.run(is_last ? "COMMIT" : "ROLLBACK");
    std::cout << who << " sells " << pieces << ": " << (is_last ? "committed" : "refused") << std::endl;
}

asio::awaitable<void> contend(redlock::client& a, redlock::client& b, const std::string& uri) {
    database rows_of_a(uri), rows_of_b(uri);
    rows_of_a.run("DROP TABLE IF EXISTS redlock_guarded_stock");
    rows_of_a.run("CREATE TABLE redlock_guarded_stock AS SELECT 10::bigint AS pieces");

    // Without renewal the lease ends like that of a process that is stopped.
    auto late = co_await a.async_lock("stock", {.ttl = 1s, .wait = 5s, .renew = false, .fencing = true});
    // A does nothing now. B gets the lock when the lease of A has run out, and sells.
    auto lease = co_await b.async_lock("stock", {.ttl = 5s, .wait = 15s, .fencing = true});
    sell("B", rows_of_b, lease, 3);
    // A goes on where it was, without looking whether its lease is valid.
    sell("A", rows_of_a, late, 1);
    co_await lease.async_unlock();

    // In good time: while its transaction lasts nobody else is granted the lock, though the lease is over.
    auto stalled = co_await a.async_lock("stock", {.ttl = 1s, .wait = 5s, .renew = false, .fencing = true});
    rows_of_a.run("BEGIN");
    std::cout << "A begins in time: " << (guard(rows_of_a, stalled) ? "yes" : "no") << std::endl;
    asio::steady_timer stall(co_await asio::this_coro::executor, 1500ms);
    co_await stall.async_wait(asio::use_awaitable);
    redlock::lock_options once{.ttl = 5s, .wait = 0s, .fencing = true};
    const auto [refused, nothing] = co_await b.async_lock("stock", once, asio::as_tuple(asio::use_awaitable));
    std::cout << "B meanwhile: " << (refused ? refused.message() : "granted") << std::endl;
    rows_of_a.run("UPDATE redlock_guarded_stock SET pieces = pieces - 1");
    rows_of_a.run("COMMIT");
    std::cout << "A commits" << std::endl;
    co_await a.async_close();
    co_await b.async_close();
}

int main(int count, char** words) {
    if (count != 2) {
        std::cerr << "usage: guarded_stock URI\n";
        return 2;
    }
    const std::string uri = words[1];
    int status = 1;
    try {
        asio::io_context loop(1);
        redlock::client a(loop.get_executor(), {.nodes = {uri}});
        redlock::client b(loop.get_executor(), {.nodes = {uri}});
        asio::co_spawn(loop, contend(a, b, uri), [&](std::exception_ptr failure) {
            try {
                if (failure) std::rethrow_exception(failure);
                status = 0;
            } catch (const std::exception& e) {
                std::cerr << e.what() << '\n';
                loop.stop();
            }
        });
        loop.run();
    } catch (const std::exception& e) {
        std::cerr << e.what() << '\n';
    }
    return status;
}
