#include "client/engines.hpp"

#include "client/configuration.hpp"
#include "engines/redis/redis_engine.hpp"

namespace redlock::lock {

std::unique_ptr<engine::engine>
make_engine(const config& c, const boost::asio::strand<boost::asio::any_io_executor>& on, turn::turns& t) {
    redis::settings settings = quorum_settings_of(c);
    return std::make_unique<redis::redis_engine>(on, std::move(settings), node_settings_of(c),
                                                 addresses_of(c), t);
}

} // namespace redlock::lock
