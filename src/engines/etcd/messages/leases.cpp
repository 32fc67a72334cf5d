#include "engines/etcd/messages/leases.hpp"

#include "engines/etcd/messages/field_reader.hpp"
#include "engines/etcd/messages/field_writer.hpp"

#include <cassert>

namespace redlock::etcd::messages {

void append(std::string& to, const lease_grant_request& m) {
    assert(m.life.count() >= 1);
    field_writer message(to);
    message.number(1, m.life.count());
    message.number(2, m.id);
}

void append(std::string& to, const lease_revoke_request& m) {
    assert(m.id != 0);
    field_writer(to).number(1, m.id);
}

void append(std::string& to, const lease_keep_alive_request& m) {
    assert(m.id != 0);
    field_writer(to).number(1, m.id);
}

void append(std::string& to, const lease_time_to_live_request& m) {
    assert(m.id != 0);
    field_writer message(to);
    message.number(1, m.id);
    message.truth(2, m.with_keys);
}

fault read(std::string_view bytes, reply<lease_grant_result>& into) {
    return read_reply(bytes, into, [](field_reader& from, lease_grant_result& to) {
        if (from.is_number(2))
            to.id = from.any_number();
        else if (from.is_number(3))
            to.life = from.time();
        else if (from.is_bytes(4))
            to.error = from.sentence();
        else
            return false;
        return true;
    });
}

fault read(std::string_view bytes, reply<lease_revoke_result>& into) {
    return read_reply(bytes, into, [](field_reader&, lease_revoke_result&) { return false; });
}

fault read(std::string_view bytes, reply<lease_keep_alive_result>& into) {
    return read_reply(bytes, into, [](field_reader& from, lease_keep_alive_result& to) {
        if (from.is_number(2))
            to.id = from.any_number();
        else if (from.is_number(3))
            to.life = from.time();
        else
            return false;
        return true;
    });
}

fault read(std::string_view bytes, reply<lease_time_to_live_result>& into) {
    return read_reply(bytes, into, [](field_reader& from, lease_time_to_live_result& to) {
        if (from.is_number(2)) {
            to.id = from.any_number();
        } else if (from.is_number(3)) {
            to.left = from.time(-1);
        } else if (from.is_number(4)) {
            to.granted = from.time();
        } else if (from.is_bytes(5)) {
            from.count_element();
            to.keys.push_back(from.key());
        } else {
            return false;
        }
        return true;
    });
}

} // namespace redlock::etcd::messages
