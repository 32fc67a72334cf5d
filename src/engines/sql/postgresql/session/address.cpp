#include "engines/sql/postgresql/session/address.hpp"

#include "core/printable.hpp"

#include <redlock/error.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <libpq-fe.h>
#include <memory>
#include <system_error>

namespace redlock::postgresql {

namespace {

constexpr std::size_t most_places = 16;
constexpr std::size_t longest_name = 200;
constexpr std::string_view variant_name = "redlock=";

[[noreturn]] void refuse(const std::string& why) { throw std::system_error(errc::invalid_uri, why); }

std::vector<std::string> parts_of(std::string_view list) {
    std::vector<std::string> parts;
    for (;;) {
        const std::size_t comma = list.find(',');
        parts.emplace_back(list.substr(0, comma));
        if (comma == list.npos) return parts;
        list.remove_prefix(comma + 1);
    }
}

bool is_port(const std::string& text) {
    std::uint16_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [behind, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && behind == end && number > 0;
}

/// As libpq pairs them: one port is that of all hosts.
std::vector<address::place> places_of(const std::string& hosts, const std::string& ports) {
    const std::vector<std::string> all = parts_of(hosts);
    const std::vector<std::string> theirs = parts_of(ports);
    if (all.size() > most_places)
        refuse(fmt::format("it names {} hosts, more than {}", all.size(), most_places));
    if (theirs.size() != 1 && theirs.size() != all.size())
        refuse(fmt::format("it names {} ports for {} hosts", theirs.size(), all.size()));
    std::vector<address::place> places;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::string& given = theirs.size() == 1 ? theirs.front() : theirs[i];
        const std::string port = given.empty() ? "5432" : given;
        if (!is_port(port)) refuse("a port is a number from 1 to 65535");
        places.push_back({.host = all[i].empty() ? "localhost" : all[i], .port = port});
    }
    return places;
}

std::string name_of(const address& a, const std::string& database) {
    std::string hosts;
    for (const address::place& p : a.places)
        hosts += fmt::format("{}{}:{}", hosts.empty() ? "" : ",", p.host, p.port);
    return core::printable(fmt::format("postgresql://{}/{}", hosts, database), longest_name);
}

/// Takes the parameter that is not libpq's out of the address, and says whether it is there and `session`.
bool take_variant(std::string& uri) {
    // As libpq does: a question mark may stand in the password.
    const std::size_t behind = uri.find_first_of("@/", std::string_view("postgresql://").size());
    std::size_t begin = uri.find('?', behind == uri.npos ? 0 : behind);
    bool is_session = false;
    while (begin != uri.npos) {
        const std::size_t end = uri.find('&', begin + 1);
        const std::string_view parameter = std::string_view(uri).substr(begin + 1, end - begin - 1);
        if (!parameter.starts_with(variant_name)) {
            begin = end;
            continue;
        }
        const std::string_view value = parameter.substr(variant_name.size());
        if (value != "rows" && value != "session") refuse("its parameter redlock is rows or session");
        is_session = value == "session";
        const bool is_last = end == uri.npos;
        uri.erase(begin + 1, is_last ? uri.npos : end - begin);
        if (is_last) uri.pop_back();
        begin = is_last ? uri.npos : begin;
    }
    return is_session;
}

} // namespace

address parse_address(const std::string& given) {
    std::string uri = given;
    const bool is_session = take_variant(uri);
    // What libpq says of a wrong one has all of it in it, the password included.
    char* said = nullptr;
    const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> options(
        PQconninfoParse(uri.c_str(), &said), &PQconninfoFree);
    if (said) PQfreemem(said);
    if (!options || uri.find('\0') != uri.npos)
        refuse("it is no postgresql://[user[:password]@]host[:port][/database][?parameter=value] of libpq");
    address found;
    std::string hosts, ports, database;
    for (const PQconninfoOption* o = options.get(); o->keyword; ++o) {
        if (!o->val) continue;
        const std::string keyword = o->keyword;
        if (keyword == "host" || (keyword == "hostaddr" && hosts.empty())) {
            hosts = o->val;
        } else if (keyword == "port") {
            ports = o->val;
        } else if (keyword == "service" || keyword == "hostaddr" || keyword == "target_session_attrs") {
            refuse(fmt::format("the parameter {} is not taken: name hosts; the one that takes writes is used",
                               keyword));
        } else {
            if (keyword == "dbname") database = o->val;
            if (keyword == "user") found.user = o->val;
            if (keyword == "password") found.password = o->val;
            found.parameters.emplace_back(keyword, o->val);
        }
    }
    found.places = places_of(hosts, ports);
    found.name = name_of(found, database.empty() ? found.user : database);
    found.locks_are_sessions = is_session;
    if (is_session) found.name += "?redlock=session";
    return found;
}

} // namespace redlock::postgresql
