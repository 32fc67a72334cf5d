#pragma once

#include "network/destination.hpp"
#include "network/transport/io_source.hpp"
#include "network/transport/stream.hpp"

#include <redlock/tls_options.hpp>

#include <memory>
#include <string_view>

namespace redlock::network {

/// What is spoken within the encryption. Texts that live for ever.
struct spoken {
    std::string_view name{};                ///< as servers are offered it (ALPN); empty: they are not
    std::string_view plain_scheme{"redis"}; ///< of addresses without encryption
    std::string_view first_bytes{"-+$:*"};  ///< any of them is what a plain answer begins with
};

/// Puts encryption around the connections of one client, on its strand.
class encryption {
public:
    encryption() = default;
    encryption(const encryption&) = delete;
    encryption& operator=(const encryption&) = delete;
    virtual ~encryption() = default;

    /// A stream to `to`, which was not connected yet, through `bare`.
    virtual std::shared_ptr<stream> cover(const io_source::strand& on, std::shared_ptr<stream> bare,
                                          const destination& to) = 0;
};

/// Whether this library is built with TLS.
bool has_encryption() noexcept;

/// Reads the files that are named. Throws std::system_error with `errc::invalid_option` and a text that names
/// the field and the file. To be called only where `has_encryption`.
std::shared_ptr<encryption> make_encryption(const tls_options& options, spoken within = {});

} // namespace redlock::network
