#include "sql/sql_command.hpp"

#include "cli/exit_status.hpp"

#include <redlock/sql_schema.hpp>

#include <fmt/format.h>

#include <memory>
#include <string>

namespace redlock::tool {

command sql_command() {
    const auto what = std::make_shared<std::string>();
    return {
        .name = "sql",
        .summary = "Write what a database needs to hold locks",
        .description =
            {"Writes the statements that make the table and the sequence which locks in a PostgreSQL "
             "database "
             "stand in, where they are not there. A client does that by itself on first use, if its user "
             "may; else run them as somebody who may, and grant the client's user SELECT, INSERT, UPDATE and "
             "DELETE on the table redlock and USAGE on the sequence redlock_fence."},
        .arguments = {{.name = "WHAT", .help = "schema", .set = into(*what), .choices = {"schema"}}},
        .uses_nodes = false,
        .examples = {{"redlock sql schema | psql shop", "Make them in the database shop"}},
        .exits = {{usage, {}}},
        .run =
            [what](const config&) {
                fmt::print("{}", postgresql_schema());
                return fine;
            },
    };
}

} // namespace redlock::tool
