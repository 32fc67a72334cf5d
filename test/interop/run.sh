#!/bin/sh
# Installs the npm packages of the folder this script is in into a folder of the build, then runs a test there.
#   run.sh <folder of the build> <test program> [argument]...
# Ends with 77 (skipped) only when the packages are not there and the npm registry cannot be reached.
set -eu

source=$(cd "$(dirname "$0")" && pwd)
folder=$1
shift

mkdir -p "$folder"
cp "$source/contender.mjs" "$folder"
if ! cmp -s "$source/package-lock.json" "$folder/installed.json"; then
    cp "$source/package.json" "$source/package-lock.json" "$folder"
    if ! (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --prefer-offline); then
        if (cd "$folder" && npm ping >/dev/null 2>&1); then
            echo "The npm registry answers, but the packages cannot be installed." >&2
            exit 1
        fi
        echo "SKIPPED: no interoperability test without the npm registry." >&2
        exit 77
    fi
    cp "$source/package-lock.json" "$folder/installed.json"
fi
cd "$folder"
exec "$@"
