#include "engines/etcd/messages/transaction.hpp"

#include "engines/etcd/messages/range_fields.hpp"

#include <cassert>

namespace redlock::etcd::messages {

namespace {

void write_fields(field_writer& to, const comparison& m) {
    assert(!m.key.empty());
    to.number(1, static_cast<std::int64_t>(m.how));
    to.number(2, static_cast<std::int64_t>(m.what));
    to.bytes(3, m.key);
    switch (m.what) {
    case comparison::target::version:
        to.number_always(4, m.number);
        break;
    case comparison::target::created:
        to.number_always(5, m.number);
        break;
    case comparison::target::modified:
        to.number_always(6, m.number);
        break;
    case comparison::target::value:
        to.bytes_always(7, m.value);
        break;
    case comparison::target::lease:
        to.number_always(8, m.number);
        break;
    }
    to.bytes(64, m.range_end);
}

void write_fields(field_writer& to, const transaction_request& m);

[[maybe_unused]] bool is_empty_transaction(const operation& o) {
    const auto* inner = std::get_if<transaction_request>(&o.what);
    return inner && inner->when.empty() && inner->then.empty() && inner->otherwise.empty();
}

/// The kinds of operations, and of their results, have the numbers of their fields one behind the other.
void write_operations(field_writer& to, protozero::pbf_tag_type tag, const std::vector<operation>& all) {
    for (const operation& each : all) {
        field_writer wrapper(to, tag);
        assert(!is_empty_transaction(each));
        const auto kind = static_cast<protozero::pbf_tag_type>(each.what.index() + 1);
        field_writer inner(wrapper, kind);
        std::visit([&](const auto& request) { write_fields(inner, request); }, each.what);
    }
}

void write_fields(field_writer& to, const transaction_request& m) {
    for (const comparison& each : m.when) {
        field_writer inner(to, 1);
        write_fields(inner, each);
    }
    write_operations(to, 2, m.then);
    write_operations(to, 3, m.otherwise);
}

template <class Result>
Result read_part(field_reader from) {
    Result found;
    while (from.next())
        if (!read_field(from, found)) from.skip();
    return found;
}

bool read_result_field(field_reader& from, transaction_result& into, std::size_t depth);

transaction_result read_inner(field_reader from, std::size_t depth) {
    if (depth > deepest_transaction) throw fault::too_deep;
    transaction_result found;
    while (from.next())
        if (!read_result_field(from, found, depth)) from.skip();
    return found;
}

operation_result read_operation(field_reader from, std::size_t depth) {
    from.count_element();
    operation_result found;
    while (from.next())
        if (from.is_bytes(1))
            found.what = read_part<range_result>(from.message());
        else if (from.is_bytes(2))
            found.what = read_part<put_result>(from.message());
        else if (from.is_bytes(3))
            found.what = read_part<delete_result>(from.message());
        else if (from.is_bytes(4))
            found.what = read_inner(from.message(), depth + 1);
        else
            from.skip();
    return found;
}

bool read_result_field(field_reader& from, transaction_result& into, std::size_t depth) {
    if (from.is_number(2))
        into.succeeded = from.truth();
    else if (from.is_bytes(3))
        into.results.push_back(read_operation(from.message(), depth));
    else
        return false;
    return true;
}

} // namespace

void append(std::string& to, const transaction_request& m) {
    field_writer message(to);
    write_fields(message, m);
}

fault read(std::string_view bytes, reply<transaction_result>& into) {
    return read_reply(bytes, into, [](field_reader& from, transaction_result& to) {
        return read_result_field(from, to, 1);
    });
}

} // namespace redlock::etcd::messages
