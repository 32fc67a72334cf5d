#include "engines/zookeeper/wire/requests.hpp"

#include "engines/zookeeper/wire/limits.hpp"

#include <cassert>
#include <utility>

namespace redlock::zookeeper {

namespace {

constexpr std::int32_t all_rights = 31;
constexpr std::size_t session_password_size = 16;

void put_access(jute_writer& to, access who) {
    to.put_int(1); // entries
    to.put_int(all_rights);
    to.put_text(who == access::maker ? "auth" : "world");
    to.put_text(who == access::maker ? "" : "anyone");
}

void put_creation(jute_writer& to, std::string_view path, std::string_view data, life_of_node life,
                  access who) {
    assert(path.size() <= longest_path && data.size() <= longest_data);
    to.put_text(path);
    to.put_text(data);
    put_access(to, who);
    to.put_int(static_cast<std::int32_t>(life));
}

constexpr std::size_t size_of_end = 9;

void put_end_of_multi(jute_writer& to) {
    to.put_int(-1);
    to.put_bool(true);
    to.put_int(-1);
}

request_body of_path(operation_code what, std::string_view path) {
    jute_writer w;
    w.put_text(path);
    return {what, w.take()};
}

request_body of_path(operation_code what, std::string_view path, bool watches) {
    jute_writer w;
    w.put_text(path);
    w.put_bool(watches);
    return {what, w.take()};
}

} // namespace

request_body create(std::string_view path, std::string_view data, life_of_node life, access who) {
    jute_writer w;
    put_creation(w, path, data, life, who);
    return {operation_code::create_told, w.take()};
}

request_body exists(std::string_view path, bool watches) {
    return of_path(operation_code::exists, path, watches);
}

request_body get_data(std::string_view path, bool watches) {
    return of_path(operation_code::get_data, path, watches);
}

request_body get_children(std::string_view path) {
    return of_path(operation_code::get_children, path, false);
}

request_body sync(std::string_view path) { return of_path(operation_code::sync, path); }

request_body ping() { return {operation_code::ping, {}}; }

request_body close_session() { return {operation_code::close, {}}; }

request_body log_in(std::string_view user_and_password) {
    jute_writer w;
    w.put_int(0); // kind of packet: there is no other
    w.put_text("digest");
    w.put_text(user_and_password);
    return {operation_code::log_in, w.take()};
}

void multi::begin(operation_code what) {
    assert(size_ < most_operations);
    ++size_;
    all_.put_int(static_cast<std::int32_t>(what));
    all_.put_bool(false);
    all_.put_int(-1);
}

multi& multi::create(std::string_view path, std::string_view data, life_of_node life, access who) {
    begin(operation_code::create);
    put_creation(all_, path, data, life, who);
    return *this;
}

multi& multi::set_data(std::string_view path, std::string_view data, std::int32_t version) {
    assert(data.size() <= longest_data);
    begin(operation_code::set_data);
    all_.put_text(path);
    all_.put_text(data);
    all_.put_int(version);
    return *this;
}

multi& multi::remove(std::string_view path, std::int32_t version) {
    begin(operation_code::remove);
    all_.put_text(path);
    all_.put_int(version);
    return *this;
}

multi& multi::check(std::string_view path, std::int32_t version) {
    begin(operation_code::check);
    all_.put_text(path);
    all_.put_int(version);
    return *this;
}

request_body multi::finish() {
    put_end_of_multi(all_);
    return {operation_code::multi, all_.take()};
}

request_body join(const std::vector<const request_body*>& multis) {
    std::string all;
    for (const request_body* each : multis) {
        assert(each->what == operation_code::multi && each->bytes.size() >= size_of_end);
        all.append(each->bytes, 0, each->bytes.size() - size_of_end);
    }
    jute_writer end;
    put_end_of_multi(end);
    return {operation_code::multi, std::move(all) + end.bytes()};
}

std::string connect_packet(const session_wish& w) {
    jute_writer body;
    body.put_int(0); // version of the protocol
    body.put_long(w.last_seen);
    body.put_int(w.timeout);
    body.put_long(w.session);
    body.put_text(w.session == 0 ? std::string(session_password_size, '\0') : w.password);
    body.put_bool(false); // whether a server that only reads will do
    jute_writer whole;
    whole.put_text(body.bytes());
    return whole.take();
}

void append_packet(std::string& to, std::int32_t number, const request_body& body) {
    jute_writer head;
    head.put_int(static_cast<std::int32_t>(body.bytes.size() + 8));
    head.put_int(number);
    head.put_int(static_cast<std::int32_t>(body.what));
    to += head.bytes();
    to += body.bytes;
}

} // namespace redlock::zookeeper
