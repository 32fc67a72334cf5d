// Instead of the engine, where the library is built without nghttp2 or protozero.

#include "engines/etcd/make_engine.hpp"

#include <system_error>

namespace redlock::etcd {

std::unique_ptr<engine::engine> make_engine(const config&,
                                            const boost::asio::strand<boost::asio::any_io_executor>&,
                                            core::entropy&, turn::turns&) {
    throw std::system_error(errc::invalid_uri, "this library is built without etcd, etcd:// cannot be used");
}

} // namespace redlock::etcd
