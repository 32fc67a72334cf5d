#!/usr/bin/env bash
# Puts the headers of Boost 1.88 into a folder, so that the code can be compiled against them: scripts/boost-1.88.sh DIR
# makes DIR/boost. They come from Debian 13 and nothing is installed. Exit code 77: they are not to be had.
set -euo pipefail
[[ $# -eq 1 ]] || { echo "usage: boost-1.88.sh DIR" >&2 && exit 2; }
target=$1

! grep -qs '"1_88"' "$target/boost/version.hpp" || exit 0

mkdir -p "$target"
work=$(mktemp -d "$target/unpacked.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
"$(dirname "$(readlink -f "$0")")/debian-packages.sh" trixie "$work/root" libboost1.88-dev

# Moved into place as a whole, so that a run that was interrupted leaves nothing that looks complete.
rm -rf "$target/boost"
mv -T "$work/root/usr/include/boost" "$target/boost"
