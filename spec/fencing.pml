/*
 * Fencing tokens over three nodes: what docs/fencing.md proves, for a checker to go through. scripts/spec.sh runs it.
 *
 * An acquire is one try of one client for the one key. All acquires run at the same time here, which takes in clients that
 * make them one after another. There are no clocks: proposals are arbitrary, and a key runs out whenever it likes, so leases
 * do overlap. There is no network either. What a node has answered stays for ever among the votes of the acquire, which may
 * act on any part of it at any time: answers that are late, lost, overtaken or repeated need no steps of their own. A request
 * takes effect at any time after it could have been sent, also when its sender has long had its token, given up or handed on.
 *
 * A token counts as granted as soon as the votes for it are there, and a round as begun only when its first SET takes effect:
 * the earliest grant and the latest beginning ask the most of what is asserted below. An acquire is held to every token that
 * some order of arrival would give it.
 *
 * Switches make the mistakes that must be found (MISTAKE) and the claims that must be wrong (CLAIM).
 */

#define NODES 3
#define ACQUIRES 3      /* who wants more must extend `granted` and `with` */
#define HIGHEST 9       /* no fence gets any higher with so few acquires; asserted */
#define PUTS_AGAIN 1    /* how often in all a key that had gone is put back by who had put it there */

#ifndef MISTAKE
#define MISTAKE 0
#endif
#define NO_WRITE_BACK 1         /* a majority is ours, so the highest answer is the token */
#define HIGHER_COUNTS 2         /* a write-back answered by a higher fence is a vote all the same */
#define REPAIR_KEEPS_FENCE 3    /* a repair does not make the fence higher than it was */
#define HANDOVER_KEEPS_TOKEN 4  /* a hand-over offers any token, not one above the former */
#define NODE_FORGETS 5          /* one node restarts without data: not a mistake, but an assumption that does not hold */

#ifndef CLAIM
#define CLAIM 0
#endif
#define NEVER_WRITTEN_BACK 1
#define NEVER_ALL_GRANTED 2
#define NEVER_HANDED_OVER 3
#define NEVER_REPAIRED 4

/* Sets of tokens are bits of a short. */
#define only(token) (1 << (token))
#define has(set, token) (((set) >> (token)) & 1)
#define larger(x, y) ((x) > (y) -> (x) : (y))

/* The nodes. */
byte holder[NODES];     /* whose key is or was last there; 0: nobody's */
byte fence[NODES];

typedef acquire_state {
    byte key;           /* the number of the acquire that chose the lock's value: another one after a hand-over; 0: not begun */
    byte proposal;
    byte asked;         /* nodes that its SET has reached */
    short heard;        /* fences that were answered, or the token offered at a hand-over: any may be written back */
    short votes[NODES]; /* the tokens that each node agreed to */
    short tokens;       /* those that a majority agreed to */
    short too_low;      /* tokens that were granted before it began, and all below them */
    bit handed_on
};
acquire_state acquires[ACQUIRES + 1];   /* from 1 on */
byte puts_left = PUTS_AGAIN;
short fresh;             /* 0 between steps */

#define begun(a) (acquires[a].key != 0)
#define known(a, token) has(acquires[a].heard, token)
#define is_ours(a, n) (begun(a) && holder[n] == acquires[a].key)
#define vote(a, n) acquires[a].votes[n]
#define agreed(a) (vote(a, 0) & vote(a, 1) | vote(a, 0) & vote(a, 2) | vote(a, 1) & vote(a, 2))
#define granted (acquires[1].tokens | acquires[2].tokens | acquires[3].tokens)

/* Whatever puts a key on a node makes its fence higher: SET and repair alike. */
#define raised(n, token) larger(fence[n] + 1, token)
#if MISTAKE == REPAIR_KEEPS_FENCE
#define repaired(n, token) larger(fence[n], token)
#else
#define repaired(n, token) raised(n, token)
#endif

#if MISTAKE == NO_WRITE_BACK
#define agrees_to(answer) ~(only(answer) - 1)
#else
#define agrees_to(answer) only(answer)
#endif

#if CLAIM == NEVER_WRITTEN_BACK
#define claim(a) acquires[a].heard == fresh
#elif CLAIM == NEVER_ALL_GRANTED
#define claim(a) !(acquires[1].tokens && acquires[2].tokens && acquires[3].tokens)
#elif CLAIM == NEVER_HANDED_OVER
#define claim(a) acquires[a].key == a
#elif CLAIM == NEVER_REPAIRED
#define claim(a) puts_left == PUTS_AGAIN
#else
#define claim(a) true
#endif

/* Node n answered, which is a vote for some tokens. The two properties are asserted here. */
inline count(a, n, some) {
    if
    :: acquires[a].handed_on -> skip
    :: else ->
        vote(a, n) = vote(a, n) | (some);
        fresh = agreed(a) & acquires[a].heard & ~acquires[a].tokens;
        assert((fresh & granted) == 0);             /* no two grants carry the same token */
        assert((fresh & acquires[a].too_low) == 0); /* what was granted before the round began is lower */
        acquires[a].tokens = acquires[a].tokens | fresh;
        assert(fresh == 0 || claim(a));
        fresh = 0
    fi
}

inline hear(a, n) {
    assert(fence[n] <= HIGHEST);
    acquires[a].heard = acquires[a].heard | only(fence[n]);
    count(a, n, agrees_to(fence[n]))
}

inline begin(a) {
    acquires[a].too_low = granted;
    acquires[a].too_low = acquires[a].too_low | acquires[a].too_low >> 1;
    acquires[a].too_low = acquires[a].too_low | acquires[a].too_low >> 2;
    acquires[a].too_low = acquires[a].too_low | acquires[a].too_low >> 4;
    acquires[a].too_low = acquires[a].too_low | acquires[a].too_low >> 8
}

/* Acquires are alike, so they begin in the order of their numbers. Nodes are alike, so the first acquire puts its key on them in
 * the order of theirs. */
#define in_order(a, n) ((a) == 1 -> has(acquires[1].asked << 1 | 1, n) : begun(a - 1))
#define may_set(a, n, p) (!begun(a) || acquires[a].key == a && acquires[a].proposal == p) && \
    (puts_left > 0 || !has(acquires[a].asked, n))

/* SET NX succeeds. The key that stood there has run out, or its release arrived; nobody could have told the difference any
 * earlier. Where it still stands, the SET has to be made again, and here it is just made later. */
inline set(a, n, p) {
    d_step {
        in_order(a, n) && !is_ours(a, n) && may_set(a, n, p) ->
        if :: !begun(a) -> acquires[a].key = a; acquires[a].proposal = p; begin(a) :: else fi;
        if :: has(acquires[a].asked, n) -> puts_left-- :: else acquires[a].asked = acquires[a].asked | only(n) fi;
        holder[n] = a;
        fence[n] = raised(n, p);
        hear(a, n)
    }
}

#define nothing_new(a, n, token) (fence[n] >= token && has(vote(a, n), fence[n]))

/* Where the key is ours, its fence becomes this token, or is higher already. */
inline write_back(a, n, token) {
    d_step {
        known(a, token) && is_ours(a, n) && MISTAKE != NO_WRITE_BACK && !nothing_new(a, n, token) ->
        fence[n] = larger(fence[n], token);
#if MISTAKE == HIGHER_COUNTS
        count(a, n, only(token))
#else
        hear(a, n)
#endif
    }
}

/* A renewal, perhaps a late one, finds the key gone and puts it back. That is no vote. */
inline repair(a, n, token) {
    d_step {
        has(acquires[a].tokens, token) && !is_ours(a, n) && puts_left > 0 ->
        puts_left--;
        holder[n] = acquires[a].key;
        fence[n] = repaired(n, token)
    }
}

/* The holder of this token hands its keys, as they are, to an acquire of the same process. It had this token and no other. */
inline hand_over(a, from, token) {
    d_step {
        from > 0 && begun(a - 1) && !begun(a) && !acquires[from].handed_on && has(acquires[from].tokens, token) ->
        acquires[from].tokens = only(token);
        acquires[from].handed_on = true;
        acquires[a].key = acquires[from].key;
        begin(a);
#if MISTAKE == HANDOVER_KEEPS_TOKEN
        acquires[a].heard = only(1)
#else
        acquires[a].heard = only(token + 1)
#endif
    }
}

#define at_each_node(step, a, x) :: step(a, 0, x) :: step(a, 1, x) :: step(a, 2, x)
#define with(a, token) at_each_node(write_back, a, token) at_each_node(repair, a, token) \
    :: hand_over(a, a - 1, token) :: hand_over(a, a - 2, token)

proctype acquire(byte a) {
end:
    do
    at_each_node(set, a, 1) at_each_node(set, a, 2)
    with(a, 1) with(a, 2) with(a, 3) with(a, 4) with(a, 5) with(a, 6) with(a, 7) with(a, 8) with(a, 9)
    od
}

#if MISTAKE == NODE_FORGETS
active proctype restart() {
end:
    d_step { fence[0] > 0 -> holder[0] = 0; fence[0] = 0 }
}
#endif

init {
    atomic { run acquire(1); run acquire(2); run acquire(3) }
}
