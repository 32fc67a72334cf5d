// The face for threads is to be had without Asio.

#include <redlock/blocking.hpp>

// Every header of Asio includes this one.
#ifdef BOOST_ASIO_DETAIL_CONFIG_HPP
#error "redlock/blocking.hpp includes Asio"
#endif

namespace redlock::test {

bool lock_without_asio() {
    blocking::client locks({.nodes = {"memory://without-asio"}});
    blocking::lease held = locks.lock("key");
    const bool valid = held.valid();
    held.unlock();
    return valid && !held.valid();
}

} // namespace redlock::test
