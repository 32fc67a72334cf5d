#!/usr/bin/env bash
# Says what this tree's shared library has changed for programs that were built with that of another revision.
#
#   scripts/abi.sh [REVISION]
#
# Without a revision: the newest release, a tag that begins with v. Builds both libraries with debug information in a folder
# of its own and lets abidiff (Debian: abigail-tools) compare what programs can see: exported symbols, and the types in the
# public headers. Ends with 0 where old programs go on working, as they do when something is only added, or where the two
# have another SOVERSION, so that nobody runs the one with the other; with 1 where they would not, and the SOVERSION must be
# raised; with 2 when it could not tell.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

fail() {
    echo "abi.sh: $*" >&2
    exit 2
}

command -v abidiff >/dev/null || fail "no abidiff, which Debian has in abigail-tools"
revision=${1:-$(git tag --list 'v*' --sort=-version:refname | head -n 1)}
[[ -n $revision ]] || fail "there is no release yet: name a revision to compare with"
git rev-parse --quiet --verify "$revision^{commit}" >/dev/null || fail "no revision $revision"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/before"
git archive "$revision" | tar -x -C "$work/before"

# build NAME SOURCE: prints the path of the library.
build() {
    cmake -S "$2" -B "$work/build-$1" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="-O0 -g" -DBUILD_SHARED_LIBS=ON \
        -DREDLOCK_UNITY=ON -DREDLOCK_BUILD_TESTS=OFF -DREDLOCK_BUILD_TOOL=OFF -DREDLOCK_BUILD_EXAMPLES=OFF \
        -DREDLOCK_BUILD_BENCH=OFF >"$work/$1.log" 2>&1 &&
        cmake --build "$work/build-$1" --target redlock >>"$work/$1.log" 2>&1 || {
        tail -n 20 "$work/$1.log" >&2
        fail "the library $1 does not build"
    }
    readlink -f "$work/build-$1/src/libredlock.so"
}

soname() { objdump -p "$1" | sed -n 's/^ *SONAME *//p'; }

before=$(build before "$work/before")
after=$(build after .)

status=0
abidiff --drop-private-types --no-added-syms --headers-dir1 "$work/before/include" --headers-dir2 include \
    "$before" "$after" || status=$?
# The two lowest bits stand for an error of abidiff or of how it was called.
((status & 3)) && fail "abidiff could not compare the two"
if ((status == 0)); then
    echo "Programs built with $revision go on working with this tree."
elif [[ $(soname "$before") != "$(soname "$after")" ]]; then
    echo "Changed since $revision, and so is the name of the library: $(soname "$before"), $(soname "$after")."
else
    echo "Programs built with $revision may break with this tree, and both libraries are $(soname "$after")." >&2
    exit 1
fi
