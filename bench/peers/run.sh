#!/usr/bin/env bash
# Compares this library with other locks on this machine and prints a table. Installs what is missing.
#   bench/peers/run.sh [--kinds] [--seconds N] [--json FILE] [--charts FOLDER] [--only NAME]
set -euo pipefail
for word in "$@"; do
    if [[ $word == --help ]]; then
        sed -n '2,3s/^#  *//p' "$0"
        exit 0
    fi
done
root=$(dirname "$(readlink -f "$0")")/../..
root=$(readlink -f "$root")

"$root"/scripts/install-packages.sh --peers
(
    cd "$root"
    cmake --preset release >/dev/null
    cmake --build --preset release --target peer_library draw_charts
) >&2

folder=$root/build/peers
mkdir -p "$folder"
if ! cmp -s "$root/bench/peers/package-lock.json" "$folder/installed.json"; then
    cp "$root"/bench/peers/package{,-lock}.json "$folder"
    (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --prefer-offline) >&2
    cp "$folder/package-lock.json" "$folder/installed.json"
fi

# Files are named from where the user is; the packages of Node.js are found in the folder that they are installed in.
words=()
while [[ $# -gt 0 ]]; do
    case $1 in
    --json | --charts)
        words+=("$1" "$(realpath -m "${2:?}")")
        shift
        ;;
    *) words+=("$1") ;;
    esac
    shift
done
cd "$folder"
exec node "$root/bench/peers/compare.mjs" "$root/build/release/bench/peer_library" "${words[@]}"
