#!/usr/bin/env bash
# Has the compiler read each file of the library and of the demo by itself, as a build without REDLOCK_UNITY does and those of
# .ci/run do not: a file has not got then what another includes, and no name may hide another. Makes nothing.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

cmake -S . -B build/each-file -G Ninja -DCMAKE_BUILD_TYPE=None -DREDLOCK_COMPLETE=ON -DREDLOCK_WERROR=ON -DREDLOCK_PCH=OFF \
    -DREDLOCK_UNITY=OFF -DREDLOCK_BUILD_TESTS=OFF -DREDLOCK_BUILD_BENCH=OFF -DCMAKE_CXX_COMPILER_LAUNCHER= \
    -DCMAKE_CXX_FLAGS_NONE=-fsyntax-only \
    -DCMAKE_CXX_CREATE_STATIC_LIBRARY="<CMAKE_COMMAND> -E touch <TARGET>" \
    -DCMAKE_CXX_LINK_EXECUTABLE="<CMAKE_COMMAND> -E touch <TARGET>" >/dev/null
exec cmake --build build/each-file --target redlock redlock_demo
