#!/usr/bin/env bash
# Checks the models in spec with spin: each rule exhaustively, and that the checker finds every mistake that can be switched
# on and refutes every claim that something interesting never happens. Needs one core for the rules and one for the rest.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
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

# check MODEL WANTED NAME SWITCH...: one line for a model, and failure unless the checker says what is wanted.
check() {
    local model=$PWD/spec/$1.pml wanted=$2 name=$3 verdict=UNDECIDED
    local folder=$work/$1-$3 optimised=-O1
    shift 3
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

# refute MODEL MISTAKE... -- CLAIM...
refute() {
    local model=$1 what=MISTAKE failures=0
    shift
    for each; do
        [[ $each != -- ]] || { what=CLAIM && continue; }
        check "$model" refuted "$each" "-D$what=$each" || failures=1
    done
    return $failures
}

all_refuted() {
    local failures=0
    refute fencing NO_WRITE_BACK HIGHER_COUNTS REACHED_COUNTS HANDOVER_COUNTS_NOT NODE_FORGETS \
        -- NEVER_AT_ONCE NEVER_WRITTEN_BACK NEVER_BOTH_GRANTED NEVER_HANDED_OVER NEVER_REPAIRED || failures=1
    refute read_write NO_WAIT LOOKS_FIRST LOOK_EXTENDS_NOT OPPONENT_REPAIRED NO_GUARD \
        -- NEVER_READ_TOGETHER NEVER_WRITTEN NEVER_DRAINED NEVER_READ_AFTERWARDS NEVER_RENEWED || failures=1
    return $failures
}

all_verified() {
    local failures=0
    check fencing verified fencing || failures=1
    check read_write verified read_write || failures=1
    return $failures
}

all_verified &
rules=$!
failed=0
all_refuted || failed=1
wait "$rules" || failed=1
exit $failed
