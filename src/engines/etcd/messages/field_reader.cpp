#include "engines/etcd/messages/field_reader.hpp"

#include "core/printable.hpp"

#include <algorithm>

namespace redlock::etcd::messages {

namespace {

constexpr std::int64_t longest_life = 9'000'000'000;

bool can_stand_in_header(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

} // namespace

std::chrono::seconds field_reader::time(std::int64_t least) {
    const std::int64_t number = at_least(least, bytes_.get_int64());
    if (number > longest_life) throw fault::number_out_of_range;
    return std::chrono::seconds(number);
}

std::string field_reader::token() {
    std::string found = text(longest_token, fault::token_too_long);
    if (!can_stand_in_header(found)) throw fault::unprintable_token;
    return found;
}

std::string field_reader::sentence() {
    const protozero::data_view view = bytes_.get_view();
    return core::printable({view.data(), view.size()}, longest_sentence);
}

void field_reader::count_element() {
    if (++*elements_ > most_elements) throw fault::too_many_elements;
}

std::string field_reader::text(std::size_t longest, fault beyond) {
    const protozero::data_view view = bytes_.get_view();
    if (view.size() > longest) throw beyond;
    return {view.data(), view.size()};
}

std::int64_t field_reader::at_least(std::int64_t least, std::int64_t number) {
    if (number < least) throw fault::number_out_of_range;
    return number;
}

response_header read_header(field_reader from) {
    response_header found;
    while (from.next())
        if (from.is_number(1))
            found.cluster_id = from.id();
        else if (from.is_number(2))
            found.member_id = from.id();
        else if (from.is_number(3))
            found.revision = from.count();
        else if (from.is_number(4))
            found.raft_term = from.id();
        else
            from.skip();
    return found;
}

key_value read_key_value(field_reader from) {
    from.count_element();
    key_value found;
    while (from.next())
        if (from.is_bytes(1))
            found.key = from.key();
        else if (from.is_number(2))
            found.created = from.count();
        else if (from.is_number(3))
            found.modified = from.count();
        else if (from.is_number(4))
            found.version = from.count();
        else if (from.is_bytes(5))
            found.value = from.value();
        else if (from.is_number(6))
            found.lease = from.any_number();
        else
            from.skip();
    return found;
}

} // namespace redlock::etcd::messages
