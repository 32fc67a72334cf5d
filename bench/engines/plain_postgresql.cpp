#include "engines/plain_postgresql.hpp"

#include "engines/threads.hpp"

#include <libpq-fe.h>
#include <memory>
#include <stdexcept>

namespace bench::engines {

const plain_statements plain_rows{
    "INSERT INTO plain_lock VALUES ($1, clock_timestamp() + interval '10 s') ON CONFLICT (name) DO UPDATE "
    "SET "
    "until = excluded.until WHERE plain_lock.until <= clock_timestamp() RETURNING 1",
    "UPDATE plain_lock SET until = clock_timestamp() WHERE name = $1"};
const char* const plain_rows_schema =
    "CREATE TABLE plain_lock (name text PRIMARY KEY, until timestamptz NOT NULL)";
const plain_statements plain_advisory{"SELECT pg_advisory_lock(hashtextextended($1, 0))",
                                      "SELECT pg_advisory_unlock(hashtextextended($1, 0))"};

namespace {

class plain_caller {
public:
    plain_caller(const std::string& conninfo, const plain_statements& with, std::string key)
        : connection_(PQconnectdb(conninfo.c_str()), &PQfinish), key_(std::move(key)) {
        if (PQstatus(connection_.get()) != CONNECTION_OK)
            throw std::runtime_error(std::string("libpq: ") + PQerrorMessage(connection_.get()));
        prepare("lock", with.lock);
        prepare("unlock", with.unlock);
    }

    void cycle() {
        if (PQntuples(run("lock").get()) != 1) throw std::runtime_error("somebody has the key");
        run("unlock");
    }

private:
    using result = std::unique_ptr<PGresult, decltype(&PQclear)>;

    result checked(PGresult* r) const {
        result held(r, &PQclear);
        const ExecStatusType status = PQresultStatus(r);
        if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
            throw std::runtime_error(std::string("libpq: ") + PQerrorMessage(connection_.get()));
        return held;
    }
    void prepare(const char* name, const char* text) {
        checked(PQprepare(connection_.get(), name, text, 0, nullptr));
    }
    result run(const char* name) {
        const char* const key = key_.c_str();
        return checked(PQexecPrepared(connection_.get(), name, 1, &key, nullptr, nullptr, 0));
    }

    const std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
    const std::string key_;
};

} // namespace

sample run_plain(const std::string& conninfo, const plain_statements& with, const load& plan) {
    return run_threads<plain_caller>(plan, [&](auto& callers, std::size_t i) {
        callers.emplace_back(conninfo, with, "plain:" + std::to_string(i));
    });
}

} // namespace bench::engines
