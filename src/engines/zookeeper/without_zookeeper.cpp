// Instead of the engine, where the library is built without it.

#include "engines/zookeeper/make_engine.hpp"

#include <system_error>

namespace redlock::zookeeper {

std::unique_ptr<engine::engine> make_engine(const config&,
                                            const boost::asio::strand<boost::asio::any_io_executor>&,
                                            core::entropy&, turn::turns&) {
    throw std::system_error(errc::invalid_uri,
                            "this library is built without ZooKeeper, zookeeper:// cannot be used");
}

} // namespace redlock::zookeeper
