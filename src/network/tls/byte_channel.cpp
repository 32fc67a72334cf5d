#include "network/tls/byte_channel.hpp"

#include <algorithm>
#include <cstring>

namespace redlock::network {

/// What OpenSSL calls. Nothing may be thrown here.
struct channel_bio {
    static byte_channel& of(BIO* bio) noexcept { return *static_cast<byte_channel*>(BIO_get_data(bio)); }

    static int read(BIO* bio, char* to, std::size_t size, std::size_t* n) noexcept {
        BIO_clear_retry_flags(bio);
        *n = of(bio).read({to, size});
        if (*n > 0) return 1;
        BIO_set_retry_read(bio);
        return 0;
    }

    static int write(BIO* bio, const char* from, std::size_t size, std::size_t* n) noexcept {
        BIO_clear_retry_flags(bio);
        const bool fits = of(bio).write({from, size});
        *n = fits ? size : 0;
        if (fits) return 1;
        BIO_set_retry_write(bio);
        return 0;
    }

    static long control(BIO*, int command, long, void*) noexcept { return command == BIO_CTRL_FLUSH ? 1 : 0; }

    static const BIO_METHOD* method() {
        // Never freed: a connection may outlive whatever else is static.
        static const BIO_METHOD* const made = [] {
            openssl_pointer<BIO_METHOD> m(BIO_meth_new(BIO_TYPE_SOURCE_SINK, "redlock"));
            if (!m || BIO_meth_set_read_ex(m.get(), read) != 1 ||
                BIO_meth_set_write_ex(m.get(), write) != 1 || BIO_meth_set_ctrl(m.get(), control) != 1)
                throw std::bad_alloc();
            return m.release();
        }();
        return made;
    }
};

byte_channel::byte_channel()
    : in_(std::make_unique_for_overwrite<char[]>(in_capacity)),
      out_(std::make_unique_for_overwrite<char[]>(out_capacity)) {}

openssl_pointer<BIO> byte_channel::make_bio() {
    openssl_pointer<BIO> bio(BIO_new(channel_bio::method()));
    require_made(bio != nullptr);
    BIO_set_data(bio.get(), this);
    BIO_set_init(bio.get(), 1);
    return bio;
}

std::span<char> byte_channel::room() noexcept {
    if (has_unread()) return {};
    in_begin_ = in_end_ = 0;
    return {in_.get(), in_capacity};
}

void byte_channel::sent(std::size_t n) noexcept {
    out_begin_ += n;
    if (out_begin_ == out_end_) out_begin_ = out_end_ = 0;
}

std::size_t byte_channel::read(std::span<char> to) noexcept {
    const std::size_t n = std::min(to.size(), in_end_ - in_begin_);
    std::memcpy(to.data(), in_.get() + in_begin_, n);
    in_begin_ += n;
    return n;
}

bool byte_channel::write(std::string_view from) noexcept {
    if (out_capacity - out_end_ < from.size()) return false;
    std::memcpy(out_.get() + out_end_, from.data(), from.size());
    out_end_ += from.size();
    return true;
}

} // namespace redlock::network
