#include "lease/renewal.hpp"

namespace redlock::lock {

routine renewal::renew(const claim& c, std::chrono::milliseconds life, std::uint64_t fencing_token) {
    round_.start(c, life, fencing_token);
    co_await any_of(is_decided);
    round_.close();
    listener_.renewal_decided();
    if (!round_.settled()) co_await any_of(is_settled);
}

} // namespace redlock::lock
