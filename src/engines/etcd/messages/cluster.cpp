#include "engines/etcd/messages/cluster.hpp"

#include "engines/etcd/messages/field_reader.hpp"
#include "engines/etcd/messages/field_writer.hpp"

namespace redlock::etcd::messages {

namespace {

void add_bounded(std::vector<std::string>& to, field_reader& from, std::size_t most) {
    if (to.size() == most) throw fault::too_many_elements;
    to.push_back(from.sentence());
}

member read_member(field_reader from) {
    member found;
    while (from.next())
        if (from.is_number(1))
            found.id = from.id();
        else if (from.is_bytes(2))
            found.name = from.sentence();
        else if (from.is_bytes(3))
            add_bounded(found.peers, from, most_urls);
        else if (from.is_bytes(4))
            add_bounded(found.clients, from, most_urls);
        else if (from.is_number(5))
            found.is_learner = from.truth();
        else
            from.skip();
    return found;
}

bool read_raft_field(field_reader& from, status_result& into) {
    if (from.is_number(4))
        into.leader = from.id();
    else if (from.is_number(5))
        into.raft_index = from.id();
    else if (from.is_number(6))
        into.raft_term = from.id();
    else if (from.is_number(7))
        into.raft_applied = from.id();
    else if (from.is_number(10))
        into.is_learner = from.truth();
    else
        return false;
    return true;
}

} // namespace

void append(std::string& to, const authenticate_request& m) {
    field_writer message(to);
    message.bytes(1, m.user);
    message.bytes(2, m.password);
}

void append(std::string&, const status_request&) {}

void append(std::string& to, const member_list_request& m) { field_writer(to).truth(1, m.linearizable); }

fault read(std::string_view bytes, reply<authenticate_result>& into) {
    return read_reply(bytes, into, [](field_reader& from, authenticate_result& to) {
        if (!from.is_bytes(2)) return false;
        to.token = from.token();
        return true;
    });
}

fault read(std::string_view bytes, reply<status_result>& into) {
    return read_reply(bytes, into, [](field_reader& from, status_result& to) {
        if (from.is_bytes(2))
            to.version = from.sentence();
        else if (from.is_number(3))
            to.size = from.count();
        else if (from.is_bytes(8))
            add_bounded(to.errors, from, most_members);
        else if (from.is_number(9))
            to.size_in_use = from.count();
        else if (from.is_number(12))
            to.size_limit = from.count();
        else
            return read_raft_field(from, to);
        return true;
    });
}

fault read(std::string_view bytes, reply<member_list_result>& into) {
    return read_reply(bytes, into, [](field_reader& from, member_list_result& to) {
        if (!from.is_bytes(2)) return false;
        if (to.members.size() == most_members) throw fault::too_many_elements;
        to.members.push_back(read_member(from.message()));
        return true;
    });
}

} // namespace redlock::etcd::messages
