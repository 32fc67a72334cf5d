#!/usr/bin/env bash
# Changes the code of locks in one small place at a time, and says which of the changes no test notices:
#
#   scripts/mutate.sh [--count N] [--seed S] [--only FILE]... [--servers] [--list]
#                     [--worlds N] [--again FILE] [--jobs N]
#
# --count N    so many changes (100) that count, spread over src/core, src/lease, src/engine and the Redis quorum
# --seed S     draws others (1)
# --only FILE  only in this file, or this file:line; all changes there unless --count is given
# --worlds N   of the simulation, for each change that no suite has found before it (1000)
# --servers    what survives is also given to the short ones of the suites that start servers
# --list       prints the changes without making any
# --again FILE only those that an earlier output, in FILE, calls SURVIVED
# --jobs N     compile so many files at once, not as many as there are processors
#
# A change that does not compile, or that leaves the object code as it is (SAME), does not count; another is drawn
# instead. All of it happens in a copy below build/mutants. Ends with 1 when fewer than 95 % were found.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
exec python3 scripts/mutate.py "$@"
