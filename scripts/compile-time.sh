#!/usr/bin/env bash
# How long the headers take to compile, in seconds of processor time without optimisation: the median of some rounds, of which
# each compiles every file once.
#
#   scripts/compile-time.sh [--check] [ROUNDS]
#
# Takes $CXX, or g++, and five rounds. With --check it ends with 1 when a file that only awaits locks takes more than 1.1 times
# as long as <boost/asio.hpp>, or the face for threads more than a third of one that has both.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

check=no
if [[ ${1:-} == --check ]]; then
    check=yes
    shift
fi
rounds=${1:-5}
if [[ ! $rounds =~ ^[1-9][0-9]{0,2}$ ]]; then
    echo "compile-time.sh: $rounds is no number of rounds from 1 to 999" >&2
    exit 2
fi

files=$(mktemp -d)
trap 'rm -r "$files"' EXIT

coroutine='boost::asio::awaitable<void> work(redlock::client& locks) {
    redlock::lease held = co_await locks.async_lock("key");
    co_await held.async_unlock();
}'
echo '#include <boost/asio.hpp>' >"$files/asio.cpp"
printf '#include <redlock/client.hpp>\n#include <boost/asio/awaitable.hpp>\n%s\n' "$coroutine" >"$files/awaits.cpp"
printf '#include <redlock/redlock.hpp>\n#include <boost/asio.hpp>\n%s\n' "$coroutine" >"$files/server.cpp"
echo '#include <redlock/lease.hpp>' >"$files/lease.cpp"
echo '#include <redlock/blocking.hpp>' >"$files/blocking.cpp"
echo '#include <redlock/redlock.h>' >"$files/c.cpp"
names=(asio awaits server lease blocking c)

TIMEFORMAT=%U
for ((round = 0; round < rounds; ++round)); do
    for name in "${names[@]}"; do
        { time "${CXX:-g++}" -std=c++20 -O0 -Iinclude -c "$files/$name.cpp" -o /dev/null 2>"$files/said"; } 2>>"$files/$name.times" ||
            { cat "$files/said" >&2; exit 1; }
    done
done

median_of() { sort -n "$files/$1.times" | sed -n "$(((rounds + 1) / 2))p"; }
show() { printf '%6.2f s  %s\n' "$(median_of "$1")" "$2"; }
show asio 'boost/asio.hpp'
show awaits 'redlock/client.hpp, where a coroutine awaits a lock'
show server 'the same with redlock/redlock.hpp and boost/asio.hpp'
show lease 'redlock/lease.hpp, for those who pass leases on'
show blocking 'redlock/blocking.hpp'
show c 'redlock/redlock.h'

[[ $check == no ]] || awk -v asio="$(median_of asio)" -v awaits="$(median_of awaits)" -v server="$(median_of server)" \
    -v blocking="$(median_of blocking)" 'BEGIN {
        printf "awaiting / asio: %.2f (at most 1.1)\nblocking / server: %.2f (at most 0.33)\n", awaits / asio, blocking / server
        exit awaits > 1.1 * asio || 3 * blocking > server
    }'
