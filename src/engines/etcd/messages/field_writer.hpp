#pragma once

#include <cstdint>
#include <protozero/pbf_writer.hpp>
#include <string>

namespace redlock::etcd::messages {

/// Adds fields to a message. As is usual in version 3 of protocol buffers, one that has its usual value,
/// which is 0 or empty, is left out, unless `always` says that it tells something by being there.
class field_writer {
public:
    /// `to` outlives it.
    explicit field_writer(std::string& to) : to_(to) {}
    /// A message in the field of that number; `outer` writes nothing until this one is gone. One without a
    /// field is left out.
    field_writer(field_writer& outer, protozero::pbf_tag_type tag) : to_(outer.to_, tag) {}

    void number(protozero::pbf_tag_type tag, std::int64_t value) {
        if (value != 0) number_always(tag, value);
    }
    void number_always(protozero::pbf_tag_type tag, std::int64_t value) { to_.add_int64(tag, value); }
    void truth(protozero::pbf_tag_type tag, bool value) {
        if (value) to_.add_bool(tag, true);
    }
    void bytes(protozero::pbf_tag_type tag, const std::string& value) {
        if (!value.empty()) bytes_always(tag, value);
    }
    void bytes_always(protozero::pbf_tag_type tag, const std::string& value) { to_.add_bytes(tag, value); }

private:
    protozero::pbf_writer to_;
};

} // namespace redlock::etcd::messages
