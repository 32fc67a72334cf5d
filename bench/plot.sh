#!/bin/sh
# Draws the charts of the README from what `contention_bench --json FILE` wrote.
#   bench/plot.sh FILE FOLDER
set -eu
exec node "$(dirname "$0")/plot.mjs" "$@"
