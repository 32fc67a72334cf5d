#include "resp/agreement.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

/// Reads the input as what a peer sent. Besides what the sanitizers see, it is a failure when the result
/// depends on the pieces in which the input arrives.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::uint64_t seed = size;
    for (std::size_t i = 0; i < size; ++i)
        seed = seed * 31 + data[i];
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    if (const auto difference = redlock::test::disagreement(bytes, seed)) {
        std::fputs(difference->c_str(), stderr);
        std::abort();
    }
    return 0;
}
