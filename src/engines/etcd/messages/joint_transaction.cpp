#include "engines/etcd/messages/joint_transaction.hpp"

#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <utility>

namespace redlock::etcd::messages {

namespace {

// The numbers of fields.
constexpr protozero::pbf_tag_type header = 1;
constexpr protozero::pbf_tag_type operations_then = 2;
constexpr protozero::pbf_tag_type succeeded = 2;
constexpr protozero::pbf_tag_type results = 3;

constexpr auto bytes_field = protozero::pbf_wire_type::length_delimited;

/// What is in the one field of a result; empty where it is no result of an operation.
protozero::data_view content_of(protozero::data_view result) {
    protozero::pbf_reader from(result);
    protozero::data_view content;
    while (from.next())
        if (from.wire_type() == bytes_field)
            content = from.get_view();
        else
            from.skip();
    return content;
}

} // namespace

void append_operation(std::string& to, operation_kind kind, std::string_view message) {
    protozero::pbf_writer whole(to);
    protozero::pbf_writer operation(whole, operations_then);
    operation.add_message(static_cast<protozero::pbf_tag_type>(kind), message.data(), message.size());
}

// A field that comes twice counts as it came last: so the header of the whole stands behind that within,
// which is of a revision before.
fault read_operations(std::string_view bytes, std::size_t count, std::vector<std::string>& into) {
    if (bytes.size() > longest_message) return fault::message_too_long;
    try {
        protozero::pbf_reader from(bytes.data(), bytes.size());
        protozero::data_view head;
        bool carried_out = false;
        std::vector<std::string> found;
        while (from.next())
            switch (from.tag_and_type()) {
            case protozero::tag_and_type(header, bytes_field):
                head = from.get_view();
                break;
            case protozero::tag_and_type(succeeded, protozero::pbf_wire_type::varint):
                carried_out = from.get_uint64() != 0; // the other reads a byte that may not be there
                break;
            case protozero::tag_and_type(results, bytes_field): {
                if (found.size() == count) return fault::too_many_elements;
                const protozero::data_view content = content_of(from.get_view());
                found.emplace_back(content.data(), content.size());
                break;
            }
            default:
                from.skip();
            }
        if (!carried_out || found.size() != count) return fault::malformed;
        for (std::string& each : found)
            protozero::pbf_writer(each).add_message(header, head.data(), head.size());
        into = std::move(found);
        return fault::none;
    } catch (const protozero::exception&) {
        return fault::malformed;
    }
}

} // namespace redlock::etcd::messages
