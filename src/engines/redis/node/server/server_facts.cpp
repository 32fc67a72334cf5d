#include "engines/redis/node/server/server_facts.hpp"

namespace redlock::node {
namespace {

void read_line(std::string_view name, std::string_view value, server_facts& facts) {
    if (name == "master_host")
        facts.master_host = printable(value);
    else if (name == "master_port")
        facts.master_port = printable(value);
    else if (name == "aof_enabled")
        facts.append_only = value != "0";
    else if (name == "maxmemory")
        facts.memory_is_limited = value != "0";
}

} // namespace

void read_facts(std::string_view info, server_facts& facts) {
    while (!info.empty()) {
        const auto line = info.substr(0, info.find_first_of("\r\n"));
        info.remove_prefix(line.size() + (line.size() < info.size() ? 1 : 0));
        const auto colon = line.find(':');
        if (colon != line.npos) read_line(line.substr(0, colon), line.substr(colon + 1), facts);
    }
}

std::optional<std::string> read_setting(const resp::reply& reply) {
    if ((!reply.is(resp::kind::map) && !reply.is(resp::kind::array)) || reply.size() != 2)
        return std::nullopt;
    const resp::reply value = reply.first().next();
    if (!value.is(resp::kind::text)) return std::nullopt;
    return printable(value.text());
}

} // namespace redlock::node
