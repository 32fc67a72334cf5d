#!/bin/sh
# Draws the charts of the guide from what `contention_bench --json FILE` wrote, with a program that it builds.
#   bench/plot.sh FILE FOLDER
set -eu
here=$(dirname "$(readlink -f "$0")")
if [ -z "${REDLOCK_DRAW_CHARTS:-}" ]; then
    (cd "$here/.." && cmake --preset release && cmake --build --preset release --target draw_charts) >/dev/null
fi
exec node "$here/plot.mjs" "$@"
