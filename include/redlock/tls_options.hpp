#pragma once

#include <redlock/detail/language.hpp>

#include <memory>
#include <string>

/// @cond
namespace boost::asio::ssl {
class context;
}
/// @endcond

namespace redlock {

/// How connections to nodes whose address begins with `rediss://` are encrypted; without meaning for all
/// others. TLS 1.2 or later. Files are read once, when the client is made, and those that are no good are
/// refused with `errc::invalid_option` and a text that names the field and the file.
struct tls_options {
    /// Certificates of the authorities that may have signed those of the nodes, in PEM. Where neither this
    /// nor `ca_path` is set, it is those that the system trusts.
    std::string ca_file{};

    /// A folder with one such certificate in each file, named by its hash (`openssl rehash`). Looked into
    /// whenever a node shows its certificate.
    std::string ca_path{};

    /// What the client shows to nodes that ask for a certificate (`tls-auth-clients` in `redis.conf`), in
    /// PEM, followed by those of the authorities in between.
    std::string certificate_file{};

    /// The key to that, in PEM, without a password. Both are set, or none.
    std::string key_file{};

    /// The name that the certificates of all nodes have to be for, and that nodes are told when a connection
    /// begins (SNI), in place of the host in the address of each. An IP address is looked for among the
    /// certificate's IP addresses, and no node is told it.
    std::string server_name{};

    /// Whether a node has to show a certificate that a known authority signed, that is valid now, and that is
    /// for its name. Without that the traffic is encrypted, but nobody knows who is at the other end.
    bool verify = true;

    /// A context of the caller's own, such as one with a key in a hardware module, in place of the files
    /// above. It is used as it is, by a client of any thread, apart from what `verify` and `server_name` say.
    std::shared_ptr<boost::asio::ssl::context> context{};
};

} // namespace redlock
