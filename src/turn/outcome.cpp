#include "turn/outcome.hpp"

namespace redlock::turn {

constinit const boost::system::error_code success;

} // namespace redlock::turn
