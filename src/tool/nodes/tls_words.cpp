#include "nodes/tls_words.hpp"

namespace redlock::tool {

std::span<const tls_word> tls_words() noexcept {
    static constexpr tls_word all[] = {
        {.option = "--cacert",
         .value = "FILE",
         .variable = "REDLOCK_CACERT",
         .name = "cacert",
         .help = "Certificates of the authorities that sign those of rediss:// nodes; default those that the "
                 "system trusts",
         .field = &tls_options::ca_file},
        {.option = "--cacertdir",
         .value = "FOLDER",
         .variable = "REDLOCK_CACERTDIR",
         .name = "cacertdir",
         .help = "A folder of such certificates, prepared by \"openssl rehash\"",
         .field = &tls_options::ca_path},
        {.option = "--cert",
         .value = "FILE",
         .variable = "REDLOCK_CERT",
         .name = "cert",
         .help = "The certificate that is shown to rediss:// nodes that want one",
         .field = &tls_options::certificate_file},
        {.option = "--key",
         .value = "FILE",
         .variable = "REDLOCK_KEY",
         .name = "key",
         .help = "The key to that certificate, without a password",
         .field = &tls_options::key_file},
        {.option = "--tls-server-name",
         .value = "NAME",
         .variable = "REDLOCK_TLS_SERVER_NAME",
         .name = "tls_server_name",
         .help = "The name that the certificates of rediss:// nodes have to be for; default the host in the "
                 "address of each",
         .field = &tls_options::server_name},
    };
    return all;
}

} // namespace redlock::tool
