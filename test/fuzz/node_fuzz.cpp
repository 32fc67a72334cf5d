#include "session/hostile_run.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

/// Reads the input as a program of what a node's caller, its peer, the network and the clock do.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto broken = redlock::test::hostile_run({reinterpret_cast<const char*>(data), size});
    if (broken.empty()) return 0;
    std::fprintf(stderr, "not so: %s\n", broken.c_str());
    std::abort();
}
