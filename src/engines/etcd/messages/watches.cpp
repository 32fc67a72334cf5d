#include "engines/etcd/messages/watches.hpp"

#include "engines/etcd/messages/field_reader.hpp"
#include "engines/etcd/messages/field_writer.hpp"

#include <cassert>

namespace redlock::etcd::messages {

namespace {

/// What is not to be told, as a list of numbers in one field.
std::string filters_of(const watch_create_request& m) {
    std::string filters;
    if (m.without_puts) filters += '\0';
    if (m.without_deletions) filters += '\1';
    return filters;
}

watch_event read_event(field_reader from) {
    from.count_element();
    watch_event found;
    while (from.next())
        if (from.is_number(1)) {
            const std::int64_t kind = from.count();
            if (kind > 1) throw fault::number_out_of_range;
            found.what = static_cast<watch_event::kind>(kind);
        } else if (from.is_bytes(2)) {
            found.now = read_key_value(from.message());
        } else if (from.is_bytes(3)) {
            found.previous = read_key_value(from.message());
        } else {
            from.skip();
        }
    return found;
}

} // namespace

void append(std::string& to, const watch_create_request& m) {
    assert(!m.key.empty() && m.start >= 0);
    field_writer message(to);
    field_writer create(message, 1);
    create.bytes(1, m.key);
    create.bytes(2, m.range_end);
    create.number(3, m.start);
    create.truth(4, m.progress);
    create.bytes(5, filters_of(m));
    create.truth(6, m.tell_previous);
    create.number(7, m.watch_id);
    create.truth(8, m.fragments);
}

void append(std::string& to, const watch_cancel_request& m) {
    field_writer message(to);
    field_writer(message, 2).number_always(1, m.watch_id); // the first of a stream is 0
}

void append(std::string& to, const watch_progress_request&) { field_writer(to).bytes_always(3, {}); }

fault read(std::string_view bytes, reply<watch_result>& into) {
    return read_reply(bytes, into, [](field_reader& from, watch_result& to) {
        if (from.is_number(2))
            to.watch_id = from.any_number();
        else if (from.is_number(3))
            to.created = from.truth();
        else if (from.is_number(4))
            to.cancelled = from.truth();
        else if (from.is_number(5))
            to.compacted = from.count();
        else if (from.is_bytes(6))
            to.reason = from.sentence();
        else if (from.is_number(7))
            to.fragment = from.truth();
        else if (from.is_bytes(11))
            to.events.push_back(read_event(from.message()));
        else
            return false;
        return true;
    });
}

} // namespace redlock::etcd::messages
