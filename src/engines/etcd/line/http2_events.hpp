#pragma once

#include "engines/etcd/line/http2_session.hpp"

namespace redlock::etcd {

/// What nghttp2 calls, with the session as the user's data.
struct http2_session::events {
    static http2_session& of(void* user) noexcept { return *static_cast<http2_session*>(user); }
    static std::string_view text(const std::uint8_t* data, std::size_t size) noexcept {
        return {reinterpret_cast<const char*>(data), size};
    }

    static int field(nghttp2_session*, const nghttp2_frame* f, const std::uint8_t* name,
                     std::size_t name_size, const std::uint8_t* value, std::size_t value_size, std::uint8_t,
                     void* user) {
        return of(user).take_field(f->hd.stream_id, text(name, name_size), text(value, value_size));
    }
    static int data(nghttp2_session*, std::uint8_t, std::int32_t id, const std::uint8_t* some,
                    std::size_t size, void* user) {
        return of(user).take_data(id, text(some, size));
    }
    static int frame(nghttp2_session*, const nghttp2_frame* f, void* user) {
        of(user).take_frame(*f);
        return 0;
    }
    static int invalid_frame(nghttp2_session*, const nghttp2_frame* f, int error, void* user) {
        // What is wrong with one exchange alone ends that.
        return f->hd.stream_id == 0 ? of(user).break_off(unlike_http2(error)) : 0;
    }
    static int closed(nghttp2_session*, std::int32_t id, std::uint32_t error, void* user) {
        of(user).take_end(id, error);
        return 0;
    }
    static ssize_t read(nghttp2_session*, std::int32_t id, std::uint8_t* room, std::size_t size,
                        std::uint32_t* flags, nghttp2_data_source*, void* user) {
        return of(user).give_data(id, {reinterpret_cast<char*>(room), size}, *flags);
    }
};

} // namespace redlock::etcd
