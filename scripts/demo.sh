#!/usr/bin/env bash
# Installs what is missing, builds, and shows locks at work on five throw-away Redis servers. Arguments go to the demo.
set -euo pipefail
root=$(dirname "$(readlink -f "$0")")/..

"$root"/scripts/install-packages.sh
(
    cd "$root"
    cmake --preset release -B build/demo -DREDLOCK_UNITY=ON -DREDLOCK_BUILD_BENCH=OFF >/dev/null
    cmake --build build/demo --target redlock_demo
)
# Replaces this shell, so that Ctrl-C and signals sent to the script reach the demo itself.
exec "$root"/build/demo/examples/redlock_demo "$@"
