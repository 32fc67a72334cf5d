#include "engines/zookeeper/wire/replies.hpp"

#include "engines/zookeeper/wire/jute_reader.hpp"
#include "engines/zookeeper/wire/limits.hpp"

#include <utility>

namespace redlock::zookeeper {

namespace {

constexpr std::size_t longest_node_data = std::size_t{64} << 10; ///< whatever others have written there

node_state get_state(jute_reader& r) {
    node_state s;
    s.created = r.get_long();
    s.modified = r.get_long();
    r.get_long(); // times of day
    r.get_long();
    s.version = r.get_int();
    r.get_int(); // versions of the children and of the rights
    r.get_int();
    s.owner = r.get_long();
    s.size = r.get_int();
    r.get_int();  // number of children
    r.get_long(); // last change of the children
    return s;
}

template <class T>
std::optional<T> if_good(const jute_reader& r, T&& found) {
    if (!r.is_good()) return std::nullopt;
    return std::forward<T>(found);
}

struct head_of_result {
    std::int32_t kind;
    bool is_over;
};

head_of_result get_head(jute_reader& r) {
    const head_of_result head{.kind = r.get_int(), .is_over = r.get_bool()};
    r.get_int(); // the fault once more
    return head;
}

operation_result get_result(jute_reader& r, std::int32_t kind) {
    operation_result one;
    switch (kind) {
    case -1:
        one.failed = static_cast<fault>(r.get_int());
        break;
    case static_cast<std::int32_t>(operation_code::create):
        one.path = r.get_text(longest_path);
        break;
    case static_cast<std::int32_t>(operation_code::create_told):
        one.path = r.get_text(longest_path);
        one.state = get_state(r);
        break;
    case static_cast<std::int32_t>(operation_code::set_data):
        one.state = get_state(r);
        break;
    case static_cast<std::int32_t>(operation_code::remove):
    case static_cast<std::int32_t>(operation_code::check):
        break;
    default:
        r.fail();
    }
    return one;
}

} // namespace

std::optional<session_grant> read_session_grant(std::string_view bytes) {
    jute_reader r(bytes);
    session_grant g;
    r.get_int(); // version of the protocol
    g.timeout = r.get_int();
    g.session = r.get_long();
    g.password = r.get_text(longest_password);
    // Servers before 3.4 do not say it.
    if (r.is_good() && !r.is_at_end()) g.only_reads = r.get_bool();
    return if_good(r, std::move(g));
}

std::optional<reply_head> read_head(std::string_view bytes, std::string_view& body) {
    jute_reader r(bytes);
    reply_head h;
    h.number = r.get_int();
    h.transaction = r.get_long();
    h.failed = static_cast<fault>(r.get_int());
    body = r.rest();
    return if_good(r, std::move(h));
}

std::optional<node_state> read_state(std::string_view body) {
    jute_reader r(body);
    node_state s = get_state(r);
    return if_good(r, std::move(s));
}

std::optional<data_reply> read_data(std::string_view body) {
    jute_reader r(body);
    data_reply d;
    d.data = r.get_text(longest_node_data);
    d.state = get_state(r);
    return if_good(r, std::move(d));
}

std::optional<children_reply> read_children(std::string_view body) {
    jute_reader r(body);
    children_reply c;
    const std::size_t count = r.get_count(most_children, sizeof(std::int32_t));
    c.names.reserve(count);
    for (std::size_t i = 0; i < count && r.is_good(); ++i)
        c.names.emplace_back(r.get_text(longest_path));
    c.state = get_state(r);
    return if_good(r, std::move(c));
}

std::optional<std::string> read_created_path(std::string_view body) {
    jute_reader r(body);
    std::string path(r.get_text(longest_path));
    return if_good(r, std::move(path));
}

std::optional<std::vector<operation_result>> read_multi(std::string_view body) {
    jute_reader r(body);
    std::vector<operation_result> all;
    for (;;) {
        const head_of_result head = get_head(r);
        if (!r.is_good()) return std::nullopt;
        if (head.is_over) return all;
        if (all.size() == most_operations) return std::nullopt;
        all.push_back(get_result(r, head.kind));
        if (!r.is_good()) return std::nullopt;
    }
}

std::optional<std::vector<part_of_multi>> split_multi(std::string_view body,
                                                      const std::vector<std::size_t>& sizes) {
    jute_reader r(body);
    std::vector<part_of_multi> parts(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::string_view from = r.rest();
        for (std::size_t n = 0; n < sizes[i]; ++n) {
            const head_of_result head = get_head(r);
            if (head.is_over) return std::nullopt;
            const fault failed = get_result(r, head.kind).failed;
            if (parts[i].failed == fault::none || parts[i].failed == fault::undone)
                parts[i].failed = failed == fault::none ? parts[i].failed : failed;
        }
        parts[i].body = from.substr(0, from.size() - r.rest().size());
    }
    const std::string_view end = r.rest();
    if (!get_head(r).is_over || !r.is_good()) return std::nullopt;
    for (part_of_multi& each : parts)
        each.body += end;
    return parts;
}

std::optional<watch_event> read_watch_event(std::string_view body) {
    jute_reader r(body);
    watch_event e;
    r.get_int(); // what has happened: whoever is told looks for himself
    e.session_state = r.get_int();
    e.path = r.get_text(longest_path);
    return if_good(r, std::move(e));
}

} // namespace redlock::zookeeper
