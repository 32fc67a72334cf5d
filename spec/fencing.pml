/*
 * Fencing tokens over three nodes: what docs/fencing.md proves, for a checker to go through. scripts/spec.sh runs it.
 *
 * What is asserted is about two grants, so two clients are here in full, at the same time, with an acquire each; the
 * second may also take the lease of the first over. All other clients, and what these two did before, are only what they
 * can do to the nodes meanwhile: take the key and raise the fence.
 *
 * There are no clocks: proposals are arbitrary, and a key runs out whenever it likes, so leases do overlap. There is no
 * network: a request takes effect at any time after it could have been sent, also when its sender has long had its
 * token, and an answer arrives at any time after that, or never. A token is taken as soon as its votes have arrived,
 * and a round begins only when its first request takes effect: the earliest grant and the latest beginning ask the most
 * of what is asserted.
 *
 * Switches make the mistakes that must be found (MISTAKE) and the claims that must be wrong (CLAIM).
 */

#define NODES 3
#define HIGHEST 12      /* no fence gets any higher with so few acquires; asserted */
#define OTHERS 1        /* how often somebody else takes a key and raises its fence */
#define REPAIRS 1       /* how often a renewal finds a key gone */

#ifndef MISTAKE
#define MISTAKE 0
#endif
#define NO_WRITE_BACK 1         /* the highest answer of a majority is the token, whatever the others answered */
#define HIGHER_COUNTS 2         /* a write-back that is answered by a higher fence is a vote all the same */
#define REACHED_COUNTS 3        /* a node whose fence was as high before is a vote: nobody counts on from there */
#define HANDOVER_COUNTS_NOT 4   /* the fences of keys that are handed over do not count on */
#define NODE_FORGETS 5          /* one node restarts without data: not a mistake, but an assumption that does not hold */

#ifndef CLAIM
#define CLAIM 0
#endif
#define NEVER_AT_ONCE 1
#define NEVER_WRITTEN_BACK 2
#define NEVER_BOTH_GRANTED 3
#define NEVER_HANDED_OVER 4
#define NEVER_REPAIRED 5

#define only(n) (1 << (n))      /* sets of nodes are bits of a byte */
#define has(set, n) (((set) >> (n)) & 1)
#define larger(x, y) ((x) > (y) -> (x) : (y))

/* The nodes. */
byte holder[NODES];     /* whose key is or was last there; 0: nobody's, or somebody else's */
byte fence[NODES];

typedef acquire_state {
    byte key;           /* the acquire that chose the lock's value: the other one after a hand-over; 0: not begun */
    byte proposal;      /* 0: not made yet */
    byte counted;       /* the nodes where the key was ours and the fence counted on */
    byte raised[NODES]; /* what each fence was raised to for it the last time; 0: not at all */
    byte on_its_way;    /* the nodes of which that answer has not arrived */
    byte top;           /* the highest answer that has arrived */
    byte token;         /* 0: not granted */
    byte floor          /* the other's token when this one began */
};
acquire_state acquires[3];      /* 1 and 2 */
byte others_left = OTHERS;
byte repairs_left = REPAIRS;
bit written_back;

#define its(field) acquires[a].field
#define other acquires[3 - a]
#define begun its(key) != 0
#define is_ours(n) (begun && holder[n] == its(key))
#define answered(n) (its(raised[n]) != 0 && !has(its(on_its_way), n))

#if MISTAKE == NO_WRITE_BACK
#define agrees(n) answered(n)
#else
#define agrees(n) (answered(n) && its(raised[n]) == its(top))
#endif
#define majority_agrees (agrees(0) + agrees(1) + agrees(2) >= 2)

#if MISTAKE == REACHED_COUNTS
#define rises_to(n, p) (fence[n] <= p)
#define counted_on(n, least) larger(fence[n], least)
#else
#define rises_to(n, p) (fence[n] < p)
#define counted_on(n, least) larger(fence[n] + (MISTAKE != HANDOVER_COUNTS_NOT || its(key) == a), least)
#endif

#if CLAIM == NEVER_AT_ONCE
#define claim (its(counted) != 0)
#elif CLAIM == NEVER_WRITTEN_BACK
#define claim !written_back
#elif CLAIM == NEVER_BOTH_GRANTED
#define claim (other.token == 0)
#elif CLAIM == NEVER_HANDED_OVER
#define claim (its(key) == a)
#elif CLAIM == NEVER_REPAIRED
#define claim (repairs_left == REPAIRS)
#else
#define claim true
#endif

inline begin() {
    if
    :: !begun -> its(key) = a; its(floor) = other.token
    :: else -> skip
    fi
}

/* The second begins after the first: they are alike. */
#define may_begin (a == 1 || acquires[1].key != 0)

/* The proposal raises the fence, whoever has the key. Where it does not, nothing comes of it. */
inline propose(n, p) {
    d_step {
        may_begin && (!begun || its(proposal) == p && its(key) == a) && its(token) == 0 && its(raised[n]) == 0 &&
        rises_to(n, p) ->
        begin();
        its(proposal) = p;
        fence[n] = p;
        answer(n, p)
    }
}

/* SET NX succeeds, and then the fence counts on, at least to the proposal. The key that stood there has run out, or its
 * release has arrived; nobody could have told the difference any earlier. A key that was handed over has to be there
 * still. Nodes are alike, so the first acquire puts its key on them in the order of their numbers. */
#define can_take(n) (its(key) == 3 - a -> holder[n] == its(key) : may_begin && (a == 2 || has(its(counted) << 1 | 1, n)))
inline count_on(n, p) {
    d_step {
        can_take(n) && (its(proposal) == 0 || its(proposal) == p) && !has(its(counted), n) ->
        begin();
        its(proposal) = p;
        its(counted) = its(counted) | only(n);
        holder[n] = its(key);
        fence[n] = counted_on(n, larger(p, its(top)));
        answer(n, fence[n])
    }
}

/* A node that has answered less than another counts on once more, at least to that. */
inline write_back(n) {
    d_step {
        is_ours(n) && has(its(counted), n) && answered(n) && its(raised[n]) < its(top) && MISTAKE != NO_WRITE_BACK ->
        fence[n] = counted_on(n, its(top));
#if MISTAKE == HIGHER_COUNTS
        answer(n, its(top));
#else
        answer(n, fence[n]);
#endif
        written_back = CLAIM == NEVER_WRITTEN_BACK
    }
}

/* Once it has its token, an acquire is not interested in answers any more. */
inline answer(n, height) {
    assert(fence[n] <= HIGHEST);
    if
    :: its(token) == 0 -> its(raised[n]) = height; its(on_its_way) = its(on_its_way) | only(n)
    :: else -> skip
    fi
}

inline arrive(n) {
    d_step {
        has(its(on_its_way), n) ->
        its(on_its_way) = its(on_its_way) & ~only(n);
        its(top) = larger(its(top), its(raised[n]));
        if
        :: majority_agrees -> grant()
        :: else -> skip
        fi
    }
}

inline grant() {
    assert(its(top) != other.token);    /* no two grants carry the same token */
    assert(its(top) > its(floor));      /* what was granted before the round began is lower */
    assert(claim);
    its(token) = its(top);
    its(on_its_way) = 0;
    its(floor) = 0;
    its(raised[0]) = 0;
    its(raised[1]) = 0;
    its(raised[2]) = 0
}

/* A renewal, perhaps a late one, finds the key gone and puts it back. That is no vote. */
inline repair(n) {
    d_step {
        its(token) != 0 && !is_ours(n) && repairs_left > 0 ->
        repairs_left--;
        holder[n] = its(key);
        fence[n] = larger(fence[n], its(token))
    }
}

/* The second takes the keys of the first over, as they are. */
inline take_over() {
    d_step {
        a == 2 && !begun && other.token != 0 -> its(key) = other.key; its(floor) = other.token
    }
}

proctype acquire(byte a) {
end:
    do
    :: take_over()
    :: propose(0, 1) :: propose(1, 1) :: propose(2, 1)
    :: propose(0, 2) :: propose(1, 2) :: propose(2, 2)
    :: count_on(0, 1) :: count_on(1, 1) :: count_on(2, 1)
    :: count_on(0, 2) :: count_on(1, 2) :: count_on(2, 2)
    :: write_back(0) :: write_back(1) :: write_back(2)
    :: arrive(0) :: arrive(1) :: arrive(2)
    :: repair(0) :: repair(1) :: repair(2)
    od
}

#define be_taken(n) d_step { others_left > 0 -> others_left--; holder[n] = 0; fence[n]++ }
#define be_proposed(n) d_step { others_left > 0 && fence[n] < 2 -> others_left--; fence[n] = 2 }

active proctype others() {
end:
    do
    :: be_taken(0) :: be_taken(1) :: be_taken(2)
    :: be_proposed(0) :: be_proposed(1) :: be_proposed(2)
    od
}

#if MISTAKE == NODE_FORGETS
active proctype restart() {
end:
    d_step { fence[0] > 0 -> holder[0] = 0; fence[0] = 0 }
}
#endif

init {
    atomic { run acquire(1); run acquire(2) }
}
