#!/usr/bin/env bash
# Checks spec/fencing.pml with spin: the rule exhaustively, and that the checker finds every mistake that can be switched on
# and refutes every claim that something interesting never happens. Needs one core for the rule and one for the rest.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
model=$PWD/spec/fencing.pml
work=build/spec
rm -rf "$work"
mkdir -p "$work"

# Only a search that has gone through every state and kept each of them whole counts as a proof.
is_verified() {
    grep -q ', errors: 0$' "$1" && grep -q '^Full statespace search' "$1" &&
        ! grep -qiE 'not completed|depth too small|truncated|bitstate|hash-compact|reached -DMEMLIM' "$1"
}

# By one of the properties; an assertion about the limits of the model itself compares with <=.
is_refuted() { grep '^pan:1: assertion violated' "$1" | grep -qv '<='; }

# check WANTED NAME SWITCH...: one line for a model, and failure unless the checker says what is wanted.
check() {
    local wanted=$1 name=$2 verdict=UNDECIDED
    local folder=$work/$name optimised=-O1
    shift 2
    # A mistake is found sooner than a compiler optimises.
    [[ $wanted == verified ]] || optimised=-O0
    mkdir "$folder"
    (
        cd "$folder"
        spin "$@" -a "$model" && gcc -w $optimised -DSAFETY -DNOREDUCE -DMEMLIM=3000 -o pan pan.c &&
            ./pan -m10000 -w24 -n
    ) >"$folder/report" 2>&1 || true
    ! is_verified "$folder/report" || verdict=verified
    ! is_refuted "$folder/report" || verdict=refuted
    printf '%-22s %9s states %7s s  %s\n' "$name" \
        "$(sed -n 's/^ *\([0-9]*\) states, stored.*/\1/p' "$folder/report")" \
        "$(sed -n 's/^pan: elapsed time \([0-9.]*\) seconds/\1/p' "$folder/report")" "$verdict"
    [[ $verdict == "$wanted" ]] || { echo "$name should be $wanted" && cat "$folder/report" && return 1; }
}

all_refuted() {
    local failures=0
    for mistake in NO_WRITE_BACK HIGHER_COUNTS REACHED_COUNTS HANDOVER_COUNTS_NOT NODE_FORGETS; do
        check refuted "$mistake" -DMISTAKE="$mistake" || failures=1
    done
    for claim in NEVER_AT_ONCE NEVER_WRITTEN_BACK NEVER_BOTH_GRANTED NEVER_HANDED_OVER NEVER_REPAIRED; do
        check refuted "$claim" -DCLAIM="$claim" || failures=1
    done
    return $failures
}

check verified fencing &
rule=$!
failed=0
all_refuted || failed=1
wait "$rule" || failed=1
exit $failed
