#include "resp/feeding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace redlock::test {
namespace {

std::string children(const resp::reply& parent) {
    std::string text = "[";
    for (auto child = parent.first(); !child.end(); child = child.next()) {
        if (text.size() > 1) text += ' ';
        text += describe(child);
    }
    return text + ']';
}

} // namespace

std::string describe(const resp::reply& reply) {
    switch (reply.kind()) {
    case resp::kind::null:
        return "_";
    case resp::kind::text:
        return fmt::format("\"{}\"", reply.text());
    case resp::kind::error:
        return fmt::format("-{}", reply.text());
    case resp::kind::integer:
        return fmt::format(":{}", reply.integer());
    case resp::kind::real:
        return fmt::format(",{:a}", reply.real());
    case resp::kind::boolean:
        return fmt::format("#{}", reply.integer());
    case resp::kind::array:
        return '*' + children(reply);
    case resp::kind::set:
        return '~' + children(reply);
    case resp::kind::map:
        return '%' + children(reply);
    case resp::kind::push:
        return '>' + children(reply);
    }
    return {};
}

std::ostream& operator<<(std::ostream& out, const decoding& d) {
    for (const auto& message : d.messages)
        out << message << '\n';
    return out << (d.problem.empty() ? "(well-formed)" : d.problem);
}

decoding feed(resp::reader& reader, std::string_view bytes, const std::function<std::size_t()>& piece) {
    decoding seen;
    resp::reply reply;
    while (!bytes.empty()) {
        const auto space = reader.prepare();
        const auto some = bytes.substr(0, std::min(piece(), space.size()));
        std::copy(some.begin(), some.end(), space.begin());
        reader.commit(some.size());
        bytes.remove_prefix(some.size());
        while (reader.next(reply) == resp::read_status::complete)
            seen.messages.push_back(describe(reply));
    }
    seen.problem = reader.problem();
    return seen;
}

decoding feed(std::string_view bytes, std::size_t piece, resp::limits limits) {
    resp::reader reader(limits);
    return feed(reader, bytes, [piece] { return piece; });
}

} // namespace redlock::test
