// Instead of the engine, where the library is built without libmariadb.

#include "engines/sql/mariadb/make_engine.hpp"

#include <system_error>

namespace redlock::mariadb {

std::unique_ptr<engine::engine> make_engine(const config&,
                                            const boost::asio::strand<boost::asio::any_io_executor>&,
                                            core::entropy&, turn::turns&) {
    throw std::system_error(errc::invalid_uri,
                            "this library is built without MariaDB, mysql:// cannot be used");
}

} // namespace redlock::mariadb
