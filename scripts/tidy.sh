#!/usr/bin/env bash
# Runs clang-tidy 19 on the library's sources, or on the files that are named: scripts/tidy.sh [FILE]...
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
[[ $# -gt 0 ]] || mapfile -t found < <(find src -name '*.cpp' | sort)
[[ $# -eq 0 ]] || found=("$@")

# Without the precompiled header, which another compiler cannot read.
cmake --preset clang -B build/tidy -DREDLOCK_PCH=OFF >/dev/null
printf '%s\0' "${found[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy-19 --quiet -p build/tidy
