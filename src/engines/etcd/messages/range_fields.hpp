#pragma once

#include "engines/etcd/messages/field_reader.hpp"
#include "engines/etcd/messages/field_writer.hpp"
#include "engines/etcd/messages/ranges.hpp"

namespace redlock::etcd::messages {

// The fields of these messages, which are replies and requests of their own as well as parts of transactions.

void write_fields(field_writer& to, const range_request& m);
void write_fields(field_writer& to, const put_request& m);
void write_fields(field_writer& to, const delete_request& m);

/// Takes the field that is there, or says false.
bool read_field(field_reader& from, range_result& into);
bool read_field(field_reader& from, put_result& into);
bool read_field(field_reader& from, delete_result& into);

} // namespace redlock::etcd::messages
