/*
 * One key that two readers and a writer want, on three nodes of which one crashes: what docs/design.md says under
 * "Reading and writing", for a checker to go through. scripts/spec.sh runs it.
 *
 * Each of them asks once. A reader enters on every node where nobody writes, and the first renews once. The writer takes
 * the key, and then asks whether anybody reads until nobody does, twice at most; what is left of that is a renewal.
 *
 * There are no clocks. A round is over when the time that it gave has passed since it was sent, which may be at any time,
 * but for the earlier rounds of the same client no later: from then on nobody is valid by it, and what it wrote on a node
 * runs out. There is no network: what a round asks of a node takes effect at any time after the round began, or never. Its answer counts at once: whoever is granted later is valid for less long. What is
 * on a node for longer than it has to be only keeps others out, so whatever is given back, or has run out, is gone at
 * once; only the key of one who is to write may stay and count for him. A node that crashes forgets everything; what was
 * sent to it before is lost. The guard lets it vote again when all rounds that had begun before are over.
 *
 * Switches make the mistakes that must be found (MISTAKE) and the claims that must be wrong (CLAIM).
 */

#define NODES 3
#define CRASHES 1

#ifndef MISTAKE
#define MISTAKE 0
#endif
#define NO_WAIT 1               /* who has the key for writing does not wait for those who read */
#define LOOKS_FIRST 2           /* he looks for them before he takes the key */
#define LOOK_EXTENDS_NOT 3      /* the look that finds nobody leaves the life of the key as it is */
#define OPPONENT_REPAIRED 4     /* a renewal puts an entry back beside the key of the writer, and counts it */
#define NO_GUARD 5              /* a node votes at once after a crash: an assumption that does not hold */

#ifndef CLAIM
#define CLAIM 0
#endif
#define NEVER_READ_TOGETHER 1
#define NEVER_WRITTEN 2
#define NEVER_DRAINED 3
#define NEVER_READ_AFTERWARDS 4
#define NEVER_RENEWED 5

#define WRITER 2
#define CLIENTS 3

typedef client {
    byte round;         /* the last that began, from 1 on; 0: none yet */
    byte over;          /* so many rounds are over */
    byte granted;       /* the round by which it is or was valid; 0: not granted */
    bit left;           /* it has given back, or given up */
    byte kept[NODES];   /* what is there of it was last given its life by that round; 0: nothing is there */
    bit asked[NODES];   /* the present round has reached the node, or never will */
    bit votes[NODES]    /* for the present round, until it is decided */
};
client clients[CLIENTS];
bit quarantined;        /* the node that has crashed */
byte before[CLIENTS];   /* the last round of each that began before that */
byte crashes_left = CRASHES;
bit has_waited;         /* the writer met a reader */

#define its(field) clients[c].field
#define is_valid(c) (clients[c].granted != 0 && clients[c].over < clients[c].granted && !clients[c].left)
#define is_written(n) (clients[WRITER].kept[n] != 0)
#define is_read(n) (clients[0].kept[n] != 0 || clients[1].kept[n] != 0)
#define has_majority (its(votes[0]) + its(votes[1]) + its(votes[2]) >= 2)
#define may_be_granted (!its(left) && its(granted) < its(round) && has_majority)

#if CLAIM == NEVER_READ_TOGETHER
#define claim !(is_valid(0) && is_valid(1))
#elif CLAIM == NEVER_WRITTEN
#define claim !is_valid(WRITER)
#elif CLAIM == NEVER_DRAINED
#define claim !(is_valid(WRITER) && has_waited)
#elif CLAIM == NEVER_READ_AFTERWARDS
#define claim !(is_valid(0) && clients[WRITER].left && clients[WRITER].granted != 0)
#elif CLAIM == NEVER_RENEWED
#define claim !(clients[0].granted == 2 || clients[WRITER].granted == 3 && clients[WRITER].over < 2)
#else
#define claim true
#endif

inline become_valid() {
    its(granted) = its(round);
    its(votes[0]) = 0;
    its(votes[1]) = 0;
    its(votes[2]) = 0;
    assert(!is_valid(WRITER) || !is_valid(0) && !is_valid(1));
    assert(claim)
}

inline begin_round() {
    its(round)++;
    its(asked[0]) = 0;
    its(asked[1]) = 0;
    its(asked[2]) = 0;
    its(votes[0]) = 0;
    its(votes[1]) = 0;
    its(votes[2]) = 0
}

/* A round that has come out counts no more votes. */
#define undecided (its(granted) < its(round))

/* Nodes 1 and 2 are alike: the first reader gets to the first of them first. */
#define reaches(n) (its(round) != 0 && !its(left) && !its(asked[n]) && !(n == 0 && quarantined) && \
                       (n != 2 || c != 0 || its(round) != 1 || its(asked[1])))

inline enter(n) {
    d_step {
        its(round) == 1 && reaches(n) ->
        its(asked[n]) = 1;
        if
        :: !is_written(n) -> its(kept[n]) = 1; its(votes[n]) = undecided
        :: else -> skip
        fi
    }
}
/* What was asked before may come late, right ahead of a renewal: then that finds what it would have had to put back. So
 * what is put back may count, or not. */
inline enter_again(n, counts) {
    d_step {
        its(round) == 2 && reaches(n) &&
        (its(kept[n]) != 0 -> counts : !is_written(n) || counts && MISTAKE == OPPONENT_REPAIRED) ->
        its(asked[n]) = 1;
        its(kept[n]) = 2;
        its(votes[n]) = counts && undecided
    }
}

#if MISTAKE == LOOKS_FIRST
#define takes (its(round) == 2)
#define only_looks (its(round) == 1)
#else
#define takes (its(round) == 1)
#define only_looks false
#endif
#define renews (its(granted) != 0)

inline take(n) {
    d_step {
        takes && reaches(n) && its(kept[n]) == 0 ->
        its(asked[n]) = 1;
        its(kept[n]) = its(round);
        its(votes[n]) = undecided
    }
}
inline look_early(n) {
    d_step {
        only_looks && reaches(n) -> its(asked[n]) = 1; its(votes[n]) = !is_read(n)
    }
}
inline look(n, counts) {
    d_step {
        its(round) > 1 && !takes && reaches(n) &&
        (its(kept[n]) != 0 -> counts : MISTAKE != LOOK_EXTENDS_NOT && (renews -> !is_read(n) : counts)) ->
        its(asked[n]) = 1;
        has_waited = has_waited || CLAIM == NEVER_DRAINED && is_read(n);
        its(kept[n]) = (MISTAKE == LOOK_EXTENDS_NOT && !is_read(n) && !renews -> its(kept[n]) : its(round));
        its(votes[n]) = counts && undecided && !is_read(n)
    }
}

/* Nothing of it is left, and nothing more will be asked. */
inline end_of_it() {
    its(left) = 1;
    its(over) = its(round);
    its(kept[0]) = 0;
    its(kept[1]) = 0;
    its(kept[2]) = 0;
    its(votes[0]) = 0;
    its(votes[1]) = 0;
    its(votes[2]) = 0;
    its(asked[0]) = 1;
    its(asked[1]) = 1;
    its(asked[2]) = 1
}

#define is_lost (its(over) == its(round) || its(granted) != 0 && its(over) >= its(granted))

inline pass_time() {
    d_step {
        !its(left) && its(over) < its(round) ->
        its(over)++;
        if
        :: is_lost -> end_of_it()
        :: else -> skip
        fi
    }
}
inline run_out(n) {
    d_step { its(kept[n]) != 0 && its(kept[n]) <= its(over) -> its(kept[n]) = 0 }
}
inline leave() {
    d_step { its(round) != 0 && !its(left) -> end_of_it() }
}

proctype reader(byte c) {
end:
    do
    :: d_step { its(round) == 0 -> begin_round() }
    :: d_step { its(round) == 1 && c == 0 && is_valid(c) -> begin_round() }
    :: enter(0) :: enter(1) :: enter(2)
    :: enter_again(0, 1) :: enter_again(1, 1) :: enter_again(2, 1)
    :: enter_again(0, 0) :: enter_again(1, 0) :: enter_again(2, 0)
    :: d_step { may_be_granted -> become_valid() }
    :: pass_time()
    :: leave()
    od
}

#define GRANTED_FROM (MISTAKE == NO_WAIT -> 1 : 2)      /* the first round that may grant */

proctype writer(byte c) {
end:
    do
    :: d_step { its(round) == 0 -> begin_round() }
    :: d_step { its(round) == 1 && has_majority && !its(left) -> begin_round() }
    :: d_step { its(round) == 2 && !its(left) -> begin_round() }
    :: look_early(0) :: look_early(1) :: look_early(2)
    :: take(0) :: take(1) :: take(2)
    :: look(0, 1) :: look(1, 1) :: look(2, 1)
    :: look(0, 0) :: look(1, 0) :: look(2, 0)
    :: d_step { its(round) >= GRANTED_FROM && may_be_granted -> become_valid() }
    :: pass_time()
    :: run_out(0) :: run_out(1) :: run_out(2)
    :: leave()
    od
}

/* Nodes are alike, and so the first is the one that crashes. */
active proctype crash() {
    byte c;
end:
    do
    :: d_step {
            crashes_left > 0 ->
            crashes_left--;
            quarantined = MISTAKE != NO_GUARD;
            for (c : 0 .. CLIENTS - 1) {
                its(kept[0]) = 0;
                its(asked[0]) = 1;
                before[c] = (MISTAKE != NO_GUARD && !its(left) -> its(round) : 0)
            }
            c = 0
        }
    :: d_step {
            quarantined && clients[0].over >= before[0] && clients[1].over >= before[1] &&
            clients[2].over >= before[2] ->
            quarantined = 0;
            before[0] = 0;
            before[1] = 0;
            before[2] = 0
        }
    od
}

init {
    atomic { run reader(0); run reader(1); run writer(WRITER) }
}
