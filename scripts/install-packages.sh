#!/usr/bin/env bash
# Installs with apt what building redlock needs and this machine lacks; does nothing, quickly, when nothing is missing.
#
#   scripts/install-packages.sh [--test] [--ci] [--peers]
#
# Without an option: what the library, the tool, the demo and the benchmark need. --test adds what the tests need, --ci what
# .ci/run needs besides, --peers what bench/peers and engines_bench compare with. Runs apt as root, or through sudo. Services that a package
# would start stay off, and PostgreSQL comes without a database.
set -euo pipefail

# Each entry is COMMAND:PACKAGE, wanted unless the command is there, or PACKAGE alone.
wanted=(
    g++:g++ cmake:cmake ninja:ninja-build ccache:ccache mold:mold redis-server:redis-server ip:iproute2
    libboost1.81-dev libboost-url1.81-dev libcli11-dev libfmt-dev libmariadb-dev libnghttp2-dev libpq-dev libprotozero-dev
    libssl-dev
)
for option in "$@"; do
    case $option in
    --test)
        wanted+=(
            libboost-test1.81-dev liblua5.1-0-dev pkg-config:pkgconf etcd:etcd-server etcdctl:etcd-client postgresql mariadb-server prometheus:prometheus
            node:nodejs npm:npm groff:groff-base java:default-jre-headless zookeeper zsh:zsh fish:fish dpkg-shlibdeps:dpkg-dev doxygen:doxygen python3:python3
        )
        ;;
    --ci) wanted+=(clang++-19:clang-19 libclang-rt-19-dev clang-format-14:clang-format-14 lintian:lintian spin:spin) ;;
    --peers)
        wanted+=(
            etcd:etcd-server node:nodejs npm:npm /usr/bin/python3:python3 python3-redis
            libcurator-recipes-java zookeeper default-jdk-headless
            postgresql python3-psycopg2 python3-kazoo
        )
        ;;
    *)
        echo "install-packages.sh: unknown option $option" >&2
        exit 2
        ;;
    esac
done

is_installed() {
    [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

missing=()
for entry in "${wanted[@]}"; do
    if [[ $entry == *:* ]]; then
        command -v "${entry%%:*}" >/dev/null || missing+=("${entry#*:}")
    else
        is_installed "$entry" || missing+=("$entry")
    fi
done
[[ ${#missing[@]} -gt 0 ]] || exit 0

if [[ $(id -u) -ne 0 ]]; then
    if ! command -v sudo >/dev/null; then
        echo "install-packages.sh: not root and no sudo; as root run: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    exec sudo -- "$BASH" "$(readlink -f "$0")" "$@"
fi

# Two runs at once would take each other's guard away.
exec 9>/run/redlock-install-packages.lock
flock 9

guard=/usr/sbin/policy-rc.d
mark="# put here by redlock's install-packages.sh while it installs"
has_our_guard() { [[ -f $guard ]] && grep -qxF "$mark" "$guard"; }
# The configuration of PostgreSQL includes all files of this folder.
no_database=/etc/postgresql-common/createcluster.d/redlock-install-packages.conf
lift_guards() {
    ! has_our_guard || rm -f "$guard"
    [[ -e $no_database ]] || return 0
    rm -f "$no_database"
    rmdir --ignore-fail-on-non-empty "${no_database%/*}" /etc/postgresql-common
}

# Tells the package scripts to start no service and to make no database. Somebody else's policy is left in force; a
# guard of ours can only be a remnant of a run that was killed, because the lock above is held.
trap lift_guards EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
lift_guards
if [[ ! -e $guard ]]; then
    printf '#!/bin/sh\n%s\nexit 101\n' "$mark" >"$guard"
    chmod 755 "$guard"
fi

if [[ " ${missing[*]} " == *" postgresql "* ]]; then
    mkdir -p "${no_database%/*}"
    echo "create_main_cluster = false" >"$no_database"
fi

redis_was_installed=no
! is_installed redis-server || redis_was_installed=yes
postgresql_was_installed=no
! is_installed postgresql-common || postgresql_was_installed=yes
mariadb_was_installed=no
! is_installed mariadb-server || mariadb_was_installed=yes
prometheus_was_installed=no
! is_installed prometheus || prometheus_was_installed=yes
etcd_was_installed=no
! is_installed etcd-server || etcd_was_installed=yes

export DEBIAN_FRONTEND=noninteractive APT_LISTCHANGES_FRONTEND=none NEEDRESTART_SUSPEND=1
apt=(apt-get -q -y -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0)
echo "Installing ${missing[*]}"
# A source that cannot be reached need not be the one that has the packages.
"${apt[@]}" update </dev/null >/dev/null 9>&- || echo "install-packages.sh: apt-get update failed; going on" >&2
log=$(mktemp)
if ! "${apt[@]}" install --no-install-recommends "${missing[@]}" </dev/null >"$log" 2>&1 9>&-; then
    cat "$log" >&2
    rm -f "$log"
    exit 1
fi
rm -f "$log"

# The tests and the demo start servers of their own. A service that came with its package shall not start at the next
# boot either, nor go on where somebody else's policy let it start now.
if [[ $redis_was_installed == no ]] && is_installed redis-server; then
    if [[ -d /run/systemd/system ]]; then
        systemctl --quiet disable --now redis-server.service || true
    elif [[ -e /run/redis/redis-server.pid ]]; then
        service redis-server stop >/dev/null || true
    fi
    update-rc.d redis-server disable >/dev/null 2>&1 || true
fi
if [[ $postgresql_was_installed == no ]] && is_installed postgresql-common; then
    [[ ! -d /run/systemd/system ]] || systemctl --quiet disable --now postgresql.service || true
    update-rc.d postgresql disable >/dev/null 2>&1 || true
fi
if [[ $mariadb_was_installed == no ]] && is_installed mariadb-server; then
    [[ ! -d /run/systemd/system ]] || systemctl --quiet disable --now mariadb.service || true
    update-rc.d mariadb disable >/dev/null 2>&1 || true
fi
if [[ $prometheus_was_installed == no ]] && is_installed prometheus; then
    [[ ! -d /run/systemd/system ]] || systemctl --quiet disable --now prometheus.service || true
    update-rc.d prometheus disable >/dev/null 2>&1 || true
fi
if [[ $etcd_was_installed == no ]] && is_installed etcd-server; then
    [[ ! -d /run/systemd/system ]] || systemctl --quiet disable --now etcd.service || true
    update-rc.d etcd disable >/dev/null 2>&1 || true
fi
