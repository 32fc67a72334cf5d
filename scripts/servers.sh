#!/usr/bin/env bash
# Runs the tests against other servers than the redis-server of this machine, or measures them.
#
#   scripts/servers.sh [SERVER]... [-- CTEST-ARGUMENT...]
#   scripts/servers.sh --bench [SERVER]... [-- LOCK_BENCH-ARGUMENT...]
#   scripts/servers.sh --fetch SERVER
#
# SERVER is one of redis-7.0, redis-8.0, valkey-8.1, valkey-9, etcd-3.5; all of them when none is named. The first is the one
# that is installed; the others come from later releases of Debian, are unpacked below build/servers, and run with the
# libraries they came with. Nothing is installed.
#
# The tests are those of the client, the nodes and the command, and the chaos test, or those of etcd, as the preset ci builds
# them; arguments choose others: scripts/servers.sh valkey-8.1 -- -R client.renewal. --bench runs lock_bench --quick, or as
# its arguments say, with all servers but etcd in turn, three times, and prints the medians. --fetch prints the program to
# start, for REDLOCK_TEST_SERVER or REDLOCK_TEST_ETCD.
#
# A server that is not to be had is skipped, which is said. Exit code 77: none is.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

benched=(redis-7.0 redis-8.0 valkey-8.1 valkey-9)
known=("${benched[@]}" etcd-3.5)
suites='^(client|cluster|group|node|redis|tool)\.|^chaos\.(checker|redis)'
targets=(client chaos cluster group node redis tool)
etcd_suites='^etcd\.|^support\.etcd_server$'
etcd_targets=(etcd support)
rounds=3

usage() {
    echo "usage: servers.sh [--bench] [SERVER]... [-- ARGUMENT...], servers.sh --fetch SERVER; SERVER: ${known[*]}" >&2
    exit 2
}

# is_version PROGRAM NUMBER: whether it is that version, or one of its patches.
is_version() {
    [[ $("$1" --version) =~ (\ v=|etcd\ Version:\ )${2//./\\.}\. ]]
}

# unpack SERVER SUITE PACKAGE [PROGRAM]: makes the folder of the server, in which `run` starts it with the libraries beside
# it: what this machine has is too old for it.
unpack() {
    local folder=$PWD/build/servers/$1 root loader
    root=$folder/root
    scripts/debian-packages.sh --with-libraries "$2" "$root" "$3" || return
    loader=$(compgen -G "$root/usr/lib/*-linux-*/ld-linux*.so.*" | head -n 1)
    printf '#!/bin/sh\nexec "%s" --library-path "%s" "%s" "$@"\n' "$loader" "${loader%/*}" "$root/usr/bin/${4:-$3}" >"$folder/run"
    chmod +x "$folder/run"
}

# fetch SERVER: prints what starts it. 77 when it is not to be had.
fetch() {
    local program=$PWD/build/servers/$1/run
    case $1 in
    redis-7.0) program=$(command -v redis-server) || program= ;;
    redis-8.0) unpack "$1" trixie redis-server || return ;;
    valkey-8.1) unpack "$1" trixie valkey-server || return ;;
    valkey-9) unpack "$1" sid valkey-server || return ;;
    etcd-3.5) unpack "$1" trixie etcd-server etcd || return ;;
    esac
    # What is installed, and what sid has, is another version some day.
    if [[ -z $program ]] || ! is_version "$program" "${1#*-}"; then
        echo "servers.sh: what is there is not $1: ${program:+$("$program" --version)}" >&2
        return 77
    fi
    echo "$program"
}

task=tests
servers=()
while [[ $# -gt 0 && $1 != -- ]]; do
    case $1 in
    --bench) task=bench ;;
    --fetch) task=fetch ;;
    *)
        [[ " ${known[*]} " == *" $1 "* ]] || usage
        servers+=("$1")
        ;;
    esac
    shift
done
[[ $# -eq 0 ]] || shift
if [[ $task == fetch ]]; then
    [[ ${#servers[@]} -eq 1 ]] || usage
    fetch "${servers[0]}"
    exit
fi
if [[ ${#servers[@]} -eq 0 ]]; then
    servers=("${known[@]}")
    [[ $task != bench ]] || servers=("${benched[@]}")
elif [[ $task == bench && " ${servers[*]} " == *" etcd-"* ]]; then
    usage
fi

declare -A programs
there=()
summary=()
for server in "${servers[@]}"; do
    if programs[$server]=$(fetch "$server"); then
        there+=("$server")
    else
        summary+=("$server: SKIPPED, not to be had, see above")
    fi
done
[[ ${#there[@]} -gt 0 ]] || exit 77

# run_tests SERVER CTEST-ARGUMENT...
run_tests() {
    local outcome server=$1 log=build/servers/$1.log
    shift
    if [[ $# -eq 0 ]]; then
        set -- -R "$suites"
        [[ $server != etcd-* ]] || set -- -R "$etcd_suites"
    fi
    ctest --preset ci "$@" | tee "$log"
    outcome=${PIPESTATUS[0]}
    summary+=("$server: $(grep -E '^[0-9]+% tests passed|^No tests were found' "$log" || echo "no tests ran")")
    return "$outcome"
}

mkdir -p build/servers
failed=no
if [[ $task == tests ]]; then
    cmake --preset ci >/dev/null
    wanted=()
    [[ " ${there[*]}" != *" redis-"* && " ${there[*]}" != *" valkey-"* ]] || wanted+=("${targets[@]}")
    [[ " ${there[*]}" != *" etcd-"* ]] || wanted+=("${etcd_targets[@]}")
    wanted=("${wanted[@]/#/redlock_}")
    wanted=("${wanted[@]/%/_test}")
    [[ " ${wanted[*]} " != *" redlock_chaos_test "* ]] || wanted+=(redlock_chaos)
    cmake --build --preset ci --target "${wanted[@]}"
    for server in "${there[@]}"; do
        printf '\n=== %s: %s\n' "$server" "$("${programs[$server]}" --version | head -n 1)"
        variable=REDLOCK_TEST_SERVER
        [[ $server != etcd-* ]] || variable=REDLOCK_TEST_ETCD
        export "$variable=${programs[$server]}"
        run_tests "$server" "$@" || failed=yes
        unset "$variable"
    done
else
    cmake --preset release >/dev/null
    cmake --build --preset release --target lock_bench
    [[ $# -gt 0 ]] || set -- --quick
    # In turn, so that what else this machine does hits all of them alike.
    for ((round = 1; round <= rounds; ++round)); do
        for server in "${there[@]}"; do
            echo "$server, $round of $rounds" >&2
            REDLOCK_TEST_SERVER=${programs[$server]} build/release/bench/lock_bench --json "build/servers/$server.$round.json" \
                "$@" >/dev/null
        done
    done
    python3 scripts/servers-table.py build/servers "$rounds" "${there[@]}"
fi

if [[ ${#summary[@]} -gt 0 ]]; then
    printf '\nServers:\n'
    printf '  %s\n' "${summary[@]}"
fi
[[ $failed == no ]]
