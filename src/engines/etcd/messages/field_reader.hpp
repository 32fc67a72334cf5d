#pragma once

#include "engines/etcd/messages/reply.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace redlock::etcd::messages {

/// Reads the fields of one message, and counts what is in it. What it refuses it throws, a `fault` or an
/// exception of protozero: `read_reply` catches both.
///
/// A field of a known number and another wire type is one that is not known, and is passed over like these.
class field_reader {
public:
    field_reader(protozero::data_view bytes, std::size_t& elements) : bytes_(bytes), elements_(&elements) {}

    bool next() { return bytes_.next(); }
    /// Whether the field that is there has that number, and is a number or a string of bytes.
    bool is_number(protozero::pbf_tag_type tag) const noexcept {
        return bytes_.tag_and_type() == protozero::tag_and_type(tag, protozero::pbf_wire_type::varint);
    }
    bool is_bytes(protozero::pbf_tag_type tag) const noexcept {
        return bytes_.tag_and_type() ==
               protozero::tag_and_type(tag, protozero::pbf_wire_type::length_delimited);
    }
    void skip() { bytes_.skip(); }

    // Each takes the value of the field that is there.
    bool truth() { return bytes_.get_uint64() != 0; }
    std::uint64_t id() { return bytes_.get_uint64(); }
    std::int64_t any_number() { return bytes_.get_int64(); }
    /// 0 or more.
    std::int64_t count() { return at_least(0, bytes_.get_int64()); }
    /// To three hundred years, as far as etcd lets leases live.
    std::chrono::seconds time(std::int64_t least = 0);
    std::string key() { return text(longest_key, fault::key_too_long); }
    std::string value() { return text(longest_value, fault::value_too_long); }
    std::string token();
    /// For people: printable, and cut.
    std::string sentence();
    field_reader message() { return {bytes_.get_view(), *elements_}; }

    /// One more of which there may be many.
    void count_element();

private:
    std::string text(std::size_t longest, fault beyond);
    static std::int64_t at_least(std::int64_t least, std::int64_t number);

    protozero::pbf_reader bytes_;
    std::size_t* elements_;
};

response_header read_header(field_reader from);
key_value read_key_value(field_reader from);

/// A whole reply. `read_field(field_reader&, Content&)` takes the field that is there, or says false.
template <class Content, class ReadField>
fault read_reply(std::string_view bytes, reply<Content>& into, ReadField read_field) {
    if (bytes.size() > longest_message) return fault::message_too_long;
    try {
        std::size_t elements = 0;
        field_reader from(protozero::data_view(bytes.data(), bytes.size()), elements);
        reply<Content> found;
        while (from.next())
            if (from.is_bytes(1))
                found.header = read_header(from.message());
            else if (!read_field(from, found.content))
                from.skip();
        into = std::move(found);
        return fault::none;
    } catch (const protozero::exception&) {
        return fault::malformed;
    } catch (const fault f) {
        return f;
    }
}

} // namespace redlock::etcd::messages
