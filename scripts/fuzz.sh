#!/usr/bin/env bash
# Fuzzes what reads bytes from outside, each target for some seconds: scripts/fuzz.sh [SECONDS]. Starts from the corpus in
# test/fuzz/corpus and adds nothing to it; new inputs, and the one that failed, are in build/fuzz/found/.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
seconds=${1:-60}

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target address_fuzz etcd_fuzz mariadb_fuzz node_fuzz resp_fuzz
# On each core one at a time.
fuzz() {
    local found=build/fuzz/found/$1
    mkdir -p "$found"
    echo "Fuzzing $1 for $seconds s"
    build/fuzz/test/fuzz/"$1"_fuzz -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
        -verbosity=0 -print_final_stats=1 -artifact_prefix="$found/failed-" "$found" test/fuzz/corpus/"$1"
}
export -f fuzz
export seconds
printf '%s\n' address etcd mariadb resp node | xargs -n 1 -P "$(nproc)" bash -euo pipefail -c 'fuzz "$1"' fuzz
