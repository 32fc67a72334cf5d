#include "sql/sql_command.hpp"

#include "cli/exit_status.hpp"

#include <redlock/sql_schema.hpp>

#include <fmt/format.h>

#include <memory>
#include <string>

namespace redlock::tool {

command sql_command() {
    const auto what = std::make_shared<std::string>();
    const auto database = std::make_shared<std::string>("postgresql");
    return {
        .name = "sql",
        .summary = "Write what a database needs to hold locks",
        .description =
            {"Writes the statements that make what locks in a database stand in, where it is not there: a "
             "table, and in PostgreSQL a sequence. A client does that by itself on first use, if its user "
             "may; else run them as somebody who may, and grant the client's user SELECT, INSERT, UPDATE and "
             "DELETE on the table redlock, and in PostgreSQL USAGE on the sequence redlock_fence."},
        .arguments = {{.name = "WHAT", .help = "schema", .set = into(*what), .choices = {"schema"}}},
        .options =
            {{.names = "--database",
              .value = "KIND",
              .help = "The kind of database: postgresql, the default, or mysql, which is MariaDB's as well",
              .set = into(*database),
              .choices = {"postgresql", "mysql"}}},
        .uses_nodes = false,
        .examples = {{"redlock sql schema | psql shop", "Make them in the database shop"},
                     {"redlock sql schema --database mysql | mariadb shop", "Likewise in one of MariaDB"}},
        .exits = {{usage, {}}},
        .run =
            [what, database](const config&) {
                fmt::print("{}", *database == "mysql" ? mariadb_schema() : postgresql_schema());
                return fine;
            },
    };
}

} // namespace redlock::tool
