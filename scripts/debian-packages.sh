#!/usr/bin/env bash
# Unpacks packages of another release of Debian into a folder, through the mirror this machine's apt uses. Nothing is
# installed.
#
#   scripts/debian-packages.sh [--with-libraries] SUITE DIR PACKAGE
#
# DIR is made, and is complete once it is there. --with-libraries unpacks all that the package depends on beside it.
# Exit code 77: it is not to be had, for the reason that is said.
set -euo pipefail
usage="usage: debian-packages.sh [--with-libraries] SUITE DIR PACKAGE"
all=no
if [[ ${1:-} == --with-libraries ]]; then
    all=yes
    shift
fi
[[ $# -eq 3 ]] || { echo "$usage" >&2 && exit 2; }
suite=$1 target=$2 package=$3

[[ ! -d $target ]] || exit 0

not_to_be_had() {
    echo "debian-packages.sh: $1" >&2
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
mkdir -p "$work"/{state/lists/partial,cache/archives/partial,none,root}
printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' "${mirrors[*]}" "$suite" "$keys" \
    >"$work/debian.sources"
# It knows of nothing that is installed, so that a dependency is fetched that this machine has, too.
apt=(apt-get -qq -o Dir::State="$work/state" -o Dir::State::status=/dev/null -o Dir::Cache="$work/cache"
    -o Dir::Etc::sourcelist="$work/debian.sources" -o Dir::Etc::sourceparts="$work/none"
    -o Dir::Etc::preferencesparts="$work/none" -o Debug::NoLocking=1
    -o APT::Sandbox::User= -o Acquire::Languages=none -o Acquire::Retries=2)

"${apt[@]}" update >&2 || not_to_be_had "the mirror does not serve $suite"
cd "$work/cache/archives"
if [[ $all == yes ]]; then
    "${apt[@]}" install --yes --download-only --no-install-recommends "$package" >&2
else
    "${apt[@]}" download "$package" >&2
fi || not_to_be_had "$suite has no $package"
for archive in *.deb; do
    dpkg-deb --extract "$archive" "$work/root"
done
cd "$OLDPWD"

# Moved into place as a whole, so that a run that was interrupted leaves nothing that looks complete.
mkdir -p "$(dirname "$target")"
rm -rf "$target.part"
cp -a "$work/root" "$target.part"
mv -T "$target.part" "$target"
