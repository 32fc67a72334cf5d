#include <redlock/error.hpp>

#include <string>

namespace redlock {

namespace {

const char* text_of(errc e) noexcept {
    switch (e) {
    case errc::held:
        return "somebody else holds the key";
    case errc::wait_timeout:
        return "the wait passed while somebody else held the key (lock_options::wait)";
    case errc::no_quorum:
        return "too few nodes answered for a majority within config::node_timeout";
    case errc::lease_lost:
        return "the lease is lost";
    case errc::closed:
        return "the client is closed";
    case errc::invalid_key:
        return "the key is empty, longer than 4096 bytes with its prefix, ends in \":redlock-fence\", "
               "\":redlock-queue\", \":redlock-readers\" or \":redlock-leader\", or does not begin with "
               "config::key_prefix where it has to";
    case errc::invalid_option:
        return "an option is outside its limits";
    case errc::invalid_uri:
        return "the address of a node cannot be understood";
    case errc::duplicate_node:
        return "the same server is listed twice";
    case errc::authentication_failed:
        return "a node refused user or password";
    case errc::permission_denied:
        return "a node's access control list forbids a command that the lock needs";
    case errc::protocol_error:
        return "a node does not speak the Redis protocol";
    case errc::node_timeout:
        return "a node let the deadline of a command pass (config::node_timeout)";
    case errc::node_unavailable:
        return "a node is not connected";
    case errc::node_quarantined:
        return "a node is up but must not vote yet";
    case errc::wrong_type:
        return "the key holds something that is not a lock";
    case errc::out_of_memory:
        return "a node reached its maxmemory and refuses to write";
    case errc::read_only:
        return "a node refuses to write: it is a replica, or cannot save";
    case errc::server_error:
        return "a node answered with an error";
    case errc::unsupported:
        return "the engine that config::nodes names cannot do this";
    case errc::tls_failed:
        return "no TLS connection to a node can be made";
    }
    return "unknown error";
}

class category final : public boost::system::error_category {
public:
    // The identity lets two copies of the category, one in a shared library and one in the program, compare
    // equal.
    constexpr category() noexcept : error_category(0x7265646c6f636b31u) {}
    const char* name() const noexcept override { return "redlock"; }
    std::string message(int value) const override { return text_of(static_cast<errc>(value)); }
};

} // namespace

const boost::system::error_category& error_category() noexcept {
    static constexpr category instance;
    return instance;
}

} // namespace redlock
