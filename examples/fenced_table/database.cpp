#include "database.hpp"

#include <stdexcept>

int outcome::rows() const {
    const std::string count = PQcmdTuples(result_.get());
    return count.empty() ? 0 : std::stoi(count);
}

std::int64_t outcome::number(int column) const {
    if (PQntuples(result_.get()) == 0) throw std::out_of_range("the statement returned no row");
    return std::stoll(PQgetvalue(result_.get(), 0, column));
}

database::database(const std::string& conninfo) : connection_(PQconnectdb(conninfo.c_str())) {
    if (PQstatus(connection_.get()) != CONNECTION_OK)
        throw std::runtime_error(PQerrorMessage(connection_.get()));
}

outcome database::run(const std::string& statement, const std::vector<std::int64_t>& values) {
    std::vector<std::string> texts;
    for (const auto value : values)
        texts.push_back(std::to_string(value));
    std::vector<const char*> pointers;
    for (const auto& text : texts)
        pointers.push_back(text.c_str());

    PGresult* const result =
        PQexecParams(connection_.get(), statement.c_str(), static_cast<int>(pointers.size()), nullptr,
                     pointers.data(), nullptr, nullptr, 0);
    outcome done(result);
    const auto status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        throw std::runtime_error(PQerrorMessage(connection_.get()));
    return done;
}
