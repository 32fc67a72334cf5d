#include "process/this_process.hpp"

#include <array>
#include <string_view>
#include <unistd.h>

namespace redlock::tool {

std::string name_of_this_process(std::size_t most_bytes) {
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '?';
    const std::string process = ":" + std::to_string(::getpid());
    return std::string(std::string_view(host.data()).substr(0, most_bytes - process.size())) + process;
}

} // namespace redlock::tool
