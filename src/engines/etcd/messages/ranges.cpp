#include "engines/etcd/messages/ranges.hpp"

#include "engines/etcd/messages/range_fields.hpp"

#include <cassert>

namespace redlock::etcd::messages {

std::string end_of(std::string_view prefix) {
    std::string end(prefix);
    while (!end.empty() && end.back() == '\xff')
        end.pop_back();
    if (end.empty()) return std::string(1, '\0');
    end.back() = static_cast<char>(static_cast<unsigned char>(end.back()) + 1);
    return end;
}

void write_fields(field_writer& to, const range_request& m) {
    assert(!m.key.empty() && m.limit >= 0 && m.at >= 0);
    to.bytes(1, m.key);
    to.bytes(2, m.range_end);
    to.number(3, m.limit);
    to.number(4, m.at);
    to.number(5, static_cast<std::int64_t>(m.sorted));
    to.number(6, static_cast<std::int64_t>(m.by));
    to.truth(7, m.serializable);
    to.truth(8, m.keys_only);
    to.truth(9, m.count_only);
    to.number(13, m.most_created);
}

void write_fields(field_writer& to, const put_request& m) {
    assert(!m.key.empty() && (!m.keep_value || m.value.empty()) && (!m.keep_lease || m.lease == 0));
    to.bytes(1, m.key);
    to.bytes(2, m.value);
    to.number(3, m.lease);
    to.truth(4, m.tell_previous);
    to.truth(5, m.keep_value);
    to.truth(6, m.keep_lease);
}

void write_fields(field_writer& to, const delete_request& m) {
    assert(!m.key.empty());
    to.bytes(1, m.key);
    to.bytes(2, m.range_end);
    to.truth(3, m.tell_previous);
}

bool read_field(field_reader& from, range_result& into) {
    if (from.is_bytes(2))
        into.found.push_back(read_key_value(from.message()));
    else if (from.is_number(3))
        into.more = from.truth();
    else if (from.is_number(4))
        into.count = from.count();
    else
        return false;
    return true;
}

bool read_field(field_reader& from, put_result& into) {
    if (!from.is_bytes(2)) return false;
    into.previous = read_key_value(from.message());
    return true;
}

bool read_field(field_reader& from, delete_result& into) {
    if (from.is_number(2))
        into.deleted = from.count();
    else if (from.is_bytes(3))
        into.previous.push_back(read_key_value(from.message()));
    else
        return false;
    return true;
}

void append(std::string& to, const range_request& m) {
    field_writer message(to);
    write_fields(message, m);
}

void append(std::string& to, const put_request& m) {
    field_writer message(to);
    write_fields(message, m);
}

void append(std::string& to, const delete_request& m) {
    field_writer message(to);
    write_fields(message, m);
}

fault read(std::string_view bytes, reply<range_result>& into) {
    return read_reply(bytes, into, [](field_reader& from, range_result& to) { return read_field(from, to); });
}

fault read(std::string_view bytes, reply<put_result>& into) {
    return read_reply(bytes, into, [](field_reader& from, put_result& to) { return read_field(from, to); });
}

fault read(std::string_view bytes, reply<delete_result>& into) {
    return read_reply(bytes, into,
                      [](field_reader& from, delete_result& to) { return read_field(from, to); });
}

} // namespace redlock::etcd::messages
