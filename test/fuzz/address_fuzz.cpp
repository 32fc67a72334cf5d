#include "engines/redis/node/address.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <system_error>

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

} // namespace

/// Reads the input as a node's address. One that is accepted keeps its limits, and its name leads to the same
/// place; one that is refused is refused with `std::system_error`.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace redlock::node;
    try {
        auto found = parse_address({reinterpret_cast<const char*>(data), size});
        const bool local = found.via == address::transport::unix_socket;
        require(found.is_cluster() ? found.host.empty() && found.members.size() <= 15 && found.database == 0
                : found.is_group()
                    ? found.host.empty() && !found.service.empty() && found.sentinels.size() <= 15
                : local ? found.host.empty() && found.path.size() > 1 && found.path.size() <= 107
                        : found.path.empty() && !found.host.empty() && found.port > 0);
        require(found.database <= 16'383);
        require(found.path.find('\0') == found.path.npos);
        const auto named = parse_address(found.name());
        require(same_server(found, named) && named.name() == found.name());
        found.user.clear();
        found.password.clear();
        require(found == named);
    } catch (const std::system_error&) {
        return 0;
    }
    return 0;
}
