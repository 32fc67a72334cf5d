#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test. Arguments go to ctest: scripts/test.sh -R node
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

scripts/install-packages.sh --test
cmake --preset ci >/dev/null
cmake --build --preset ci
exec ctest --preset ci "$@"
