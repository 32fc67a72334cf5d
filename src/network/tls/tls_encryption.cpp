#include "network/tls/tls_encryption.hpp"

#include "network/tls/tls_context.hpp"
#include "network/tls/tls_stream.hpp"

#include <ctime>

namespace redlock::network {

bool has_encryption() noexcept { return true; }

std::shared_ptr<encryption> make_encryption(const tls_options& options, spoken within) {
    return std::make_shared<tls_encryption>(options, within);
}

tls_encryption::tls_encryption(const tls_options& options, spoken within)
    : context_(make_tls_context(options)),
      server_name_(options.server_name),
      verify_(options.verify),
      within_(within) {}

// Taken from the session itself and not by a callback of the context, which may be the caller's.
std::shared_ptr<stream> tls_encryption::cover(const io_source::strand& on, std::shared_ptr<stream> bare,
                                              const destination& to) {
    const server where(to.host, to.port);
    const openssl_pointer<SSL_SESSION> resumed = take(where);
    tls_session::peer expected{
        .name = server_name_.empty() ? to.host : server_name_, .verify = verify_, .speaks = within_};
    return std::make_shared<tls_stream>(
        on, std::move(bare), context_, std::move(expected), resumed.get(),
        [self = shared_from_this(), where](const tls_session& s) { self->keep(where, s.resumable()); });
}

void tls_encryption::keep(const server& of, openssl_pointer<SSL_SESSION> resumable) {
    constexpr std::size_t most_servers = 256; // where their addresses change, they come and go for ever
    if (resumable_.size() >= most_servers) resumable_.erase(resumable_.begin());
    resumable_[of] = std::move(resumable);
}

// What is used is not there for a second time: a connection that fails does not spoil the next, and nobody
// who listens can tell that two belong together (RFC 8446, C.4).
openssl_pointer<SSL_SESSION> tls_encryption::take(const server& of) {
    const auto found = resumable_.extract(of);
    if (found.empty() || !found.mapped()) return nullptr;
    openssl_pointer<SSL_SESSION> session = std::move(found.mapped());
    const auto age = std::time(nullptr) - SSL_SESSION_get_time(session.get());
    if (age < 0 || age >= SSL_SESSION_get_timeout(session.get())) return nullptr;
    return session;
}

} // namespace redlock::network
