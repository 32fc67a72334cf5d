#!/usr/bin/env bash
# Puts the headers of Boost 1.88 into a folder, so that the code can be compiled against them: scripts/boost-1.88.sh DIR
# makes DIR/boost. They come from Debian 13, through the mirror this machine's apt uses, and nothing is installed.
# Exit code 77: they are not to be had.
set -euo pipefail
[[ $# -eq 1 ]] || { echo "usage: boost-1.88.sh DIR" >&2 && exit 2; }
target=$1
package=libboost1.88-dev
suite=trixie

! grep -qs '"1_88"' "$target/boost/version.hpp" || exit 0

not_to_be_had() {
    echo "boost-1.88.sh: $1" >&2
    exit 77
}
command -v apt-get >/dev/null || not_to_be_had "this machine has no apt"
keys=/usr/share/keyrings/debian-archive-keyring.gpg
[[ -r $keys ]] || not_to_be_had "no keys of Debian's archive"

# The mirrors that serve this machine's own release, without the security archive, which has other suites.
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
mapfile -t mirrors < <(
    # shellcheck disable=SC2016  # apt itself fills these in
    apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
        sed -n "s/^$release //p" | sort -u
)
[[ ${#mirrors[@]} -gt 0 ]] || not_to_be_had "apt knows no source for $release"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir -p "$work"/{state/lists/partial,cache/archives/partial,none}
printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' "${mirrors[*]}" "$suite" "$keys" \
    >"$work/debian.sources"
apt=(apt-get -qq -o Dir::State="$work/state" -o Dir::State::status=/dev/null -o Dir::Cache="$work/cache"
    -o Dir::Etc::sourcelist="$work/debian.sources" -o Dir::Etc::sourceparts="$work/none"
    -o Dir::Etc::preferencesparts="$work/none"
    -o APT::Sandbox::User= -o Acquire::Languages=none -o Acquire::Retries=2)

"${apt[@]}" update >&2 || not_to_be_had "the mirror does not serve $suite"
(cd "$work" && "${apt[@]}" download "$package" >&2) || not_to_be_had "$suite has no $package"

# Moved into place as a whole, so that a run that was interrupted leaves nothing that looks complete.
mkdir -p "$target" "$work/headers"
dpkg-deb --fsys-tarfile "$work/$package"_*.deb | tar -x -C "$work/headers" --strip-components=3 ./usr/include/boost
rm -rf "$target/boost" "$target/boost.part"
cp -a "$work/headers/boost" "$target/boost.part"
mv "$target/boost.part" "$target/boost"
