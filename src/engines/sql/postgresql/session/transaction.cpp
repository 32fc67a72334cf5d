// What is sent for the requests of a turn.

#include "engines/sql/postgresql/session/one_row.hpp"
#include "engines/sql/postgresql/session/parameters.hpp"
#include "engines/sql/postgresql/session/statements.hpp"
#include "engines/sql/wake_bucket.hpp"

#include <algorithm>
#include <utility>

namespace redlock::postgresql {

namespace {

using sql::request;

struct columns {
    std::vector<std::string_view> keys, tokens;
    std::vector<std::int64_t> lives, groups;
};

columns columns_of(const std::vector<request*>& asked) {
    columns all;
    for (const request* r : asked) {
        all.keys.push_back(r->of->full_key);
        all.tokens.push_back(r->of->token());
        all.lives.push_back(std::min(r->life, sql::longest_row_life).count());
        all.groups.push_back(static_cast<std::int64_t>(sql::wake_bucket(r->of->full_key)));
    }
    return all;
}

std::vector<std::int64_t> numbers_of(const std::vector<std::string_view>& keys,
                                     std::int64_t (*number_of)(std::string_view key) noexcept) {
    std::vector<std::int64_t> all;
    for (const std::string_view key : keys)
        all.push_back(number_of(key));
    return all;
}

} // namespace

sql::statements transaction(const sql::batch& asked, std::uint32_t table, std::int64_t fence_base,
                            const std::optional<std::string>& label) {
    if (const request* const alone = one_row::only_one(asked))
        return {one_row::statement_for(*alone, table, fence_base, label)};
    return transaction_for_many(asked, table, fence_base, label);
}

sql::statements transaction_for_many(const sql::batch& asked, std::uint32_t table, std::int64_t fence_base,
                                     const std::optional<std::string>& label,
                                     std::int64_t (*number_of)(std::string_view key) noexcept) {
    sql::statements all;
    const auto add_statement = [&](request::kind k, const char* name, bool lives, bool fences) {
        if (asked.of(k).empty()) return;
        const columns c = columns_of(asked.of(k));
        parameters given;
        if (number_of)
            given.many_numbers(numbers_of(c.keys, number_of));
        else
            given.many_bytes(c.keys);
        given.many_texts(c.tokens);
        if (k == request::kind::release) given.many_numbers(c.groups).number(lock_class(table));
        if (lives) given.many_numbers(c.lives);
        if (fences) given.number(fence_base);
        if (k == request::kind::acquire && label) given.text(*label);
        all.push_back({.name = name, .given = std::move(given)});
    };
    add_statement(request::kind::release, release_name, false, false);
    add_statement(request::kind::renew, renew_name, true, false);
    add_statement(request::kind::advance, advance_name, false, true);
    add_statement(request::kind::acquire, acquire_name, true, true);
    if (asked.is_unwaited() && !number_of) all.push_back({.name = unwaited_name});
    return all;
}

sql::statement wake(const std::vector<std::int64_t>& groups, std::uint32_t table) {
    return {.name = wake_name, .given = parameters().many_numbers(groups).number(lock_class(table))};
}

sql::statement purge(std::uint32_t table) {
    return {.name = purge_name, .given = parameters().number(lock_class(table)).number(purge_limit)};
}

} // namespace redlock::postgresql
