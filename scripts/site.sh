#!/usr/bin/env bash
# Makes a site of the documentation and of the public headers in build/site/out, and follows all its links.
#   scripts/site.sh          makes it
#   scripts/site.sh --look   and looks at every page in Chromium; screenshots are in build/site/shots
#   scripts/site.sh --serve  and shows it at http://localhost:4173 until Ctrl-C
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

for program in node npm doxygen; do
    command -v "$program" >/dev/null || { echo "The site takes $program, which is not there." >&2; exit 77; }
done
work=$PWD/build/site
mkdir -p "$work/xml"

version=$(sed -nE 's/^#define REDLOCK_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' include/redlock/version.hpp | paste -sd.)
sed -e "s#@PROJECT_VERSION@#$version#; s#@PROJECT_DESCRIPTION@#Distributed locks#; s#@reference_dir@#$work#; s#@PROJECT_SOURCE_DIR@#$PWD#g" \
    docs/Doxyfile.in >"$work/Doxyfile"
printf '%s\n' "GENERATE_XML = YES" "XML_PROGRAMLISTING = NO" "GENERATE_HTML = NO" >>"$work/Doxyfile"
rm -rf "$work/xml"
doxygen "$work/Doxyfile"

# Beside what they need, for that is looked for from where a script lies.
cp docs/site/*.mjs docs/site/package.json docs/site/package-lock.json "$work"
if ! cmp -s "$work/package-lock.json" "$work/node_modules/.installed"; then
    (cd "$work" && npm ci --silent --no-audit --no-fund)
    cp "$work/package-lock.json" "$work/node_modules/.installed"
fi
rm -rf "$work/out"
(cd "$work" && node build.mjs "$OLDPWD" "$work/xml" "$work" "$work/out" "$version")

case ${1:-} in
--look) (cd "$work" && node look.mjs "$work/out" "$work/shots") ;;
--serve) (cd "$work" && exec npx vitepress preview pages --port 4173) ;;
esac
