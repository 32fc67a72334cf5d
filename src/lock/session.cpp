#include "lock/session.hpp"

#include "resp/command.hpp"

namespace redlock::lock {

namespace {

enum form : unsigned {
    set_returning_holder = 1,
    plain_set,
    release_by_hash,
    release_by_text,
    extend_by_hash,
    extend_by_text,
    get_value,
    get_life
};

} // namespace

errc session::set(const claim& c, std::chrono::milliseconds life, const addressee& to, encoding& bytes) {
    if (std::string* out = bytes.to_encode(set_returns_holder_ ? set_returning_holder : plain_set)) {
        const resp::decimal milliseconds(life.count());
        if (set_returns_holder_)
            resp::append_command(*out, {"SET", c.full_key, c.token.text(), "NX", "GET", "PX", milliseconds});
        else
            resp::append_command(*out, {"SET", c.full_key, c.token.text(), "NX", "PX", milliseconds});
    }
    return submit(bytes, to);
}

errc session::release(const claim& c, const addressee& to, encoding& bytes) {
    const bool known = has(script::release);
    if (std::string* out = bytes.to_encode(known ? release_by_hash : release_by_text))
        resp::append_command(*out, {known ? "EVALSHA" : "EVAL",
                                    known ? hash_of(script::release) : text_of(script::release), "1",
                                    c.full_key, c.token.text()});
    return submit(bytes, to);
}

errc session::extend(const claim& c, std::chrono::milliseconds life, const addressee& to, encoding& bytes) {
    const bool known = has(script::extend);
    if (std::string* out = bytes.to_encode(known ? extend_by_hash : extend_by_text)) {
        const resp::decimal milliseconds(life.count());
        resp::append_command(*out, {known ? "EVALSHA" : "EVAL",
                                    known ? hash_of(script::extend) : text_of(script::extend), "1",
                                    c.full_key, c.token.text(), milliseconds});
    }
    return submit(bytes, to);
}

errc session::get(const std::string& key, const addressee& to, encoding& bytes) {
    if (std::string* out = bytes.to_encode(get_value)) resp::append_command(*out, {"GET", key});
    return submit(bytes, to);
}

errc session::remaining_life(const std::string& key, const addressee& to, encoding& bytes) {
    if (std::string* out = bytes.to_encode(get_life)) resp::append_command(*out, {"PTTL", key});
    return submit(bytes, to);
}

errc session::submit(const encoding& bytes, const addressee& to) noexcept {
    return node_->submit({.command = bytes.bytes_,
                          .receiver = to.receiver,
                          .tag = to.tag,
                          .deadline = to.deadline,
                          .cleanup = to.cleanup});
}

} // namespace redlock::lock
