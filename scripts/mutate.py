"""What scripts/mutate.sh runs."""

import argparse
import random
import re
import signal
import sys
import time
from collections import Counter
from functools import cache
from pathlib import Path

from mutation_build import BUILD, ROOT, SOURCE, MutationBuild, digest
from mutation_suites import suites
from mutations import mutations_of

FOLDERS = ["src/core", "src/core/election", "src/core/quorum", "src/core/queue", "src/core/flow", "src/lease", "src/lease/acquire",
           "src/lease/owned", "src/primitive/keys", "src/primitive/permits", "src/primitive/election", "src/engine", "src/engines/redis/quorum", "src/engines/redis/rounds",
           "src/engines/redis/contest", "src/engines/redis/queue"]
# Text, counts, measures: no lock depends on them.
FILES_LEFT_OUT = re.compile(
    r"/(mistake|report|counters|histogram\w*|refusal_text|request_text|round_failure|error|error_name|printable|failure|low_water|round_trips|usual_round_trip)\.[ch]pp$"
)
WANTED = 0.95
# What says nothing about the tests; another change is drawn in its place.
NOT_COMPILED, SAME, SURVIVED = "DOES NOT COMPILE", "SAME", "SURVIVED"


def candidates(only):
    wanted = [tuple(o.split(":")) for o in only]
    found = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).glob("*.[ch]pp")):
            name = str(path.relative_to(ROOT))
            if wanted and not any(name.endswith(w[0]) for w in wanted) or not wanted and FILES_LEFT_OUT.search(name):
                continue
            lines = {int(w[1]) for w in wanted if name.endswith(w[0]) and len(w) > 1}
            found += [m for m in mutations_of(name, text_of(name)) if not lines or m.line in lines]
    return found


def parts_of(all_of_them, count, seed):
    """`count` parts that are equally large, of each of which one is to be judged: spread over the files, after their
    size. Each part is in the order in which it is drawn from."""
    draws = random.Random(seed)
    edges = [len(all_of_them) * i // count for i in range(count + 1)]
    parts = [all_of_them[a:b] for a, b in zip(edges, edges[1:]) if a < b]
    for part in parts:
        draws.shuffle(part)
    draws.shuffle(parts)
    return parts


def headers_last(mutations):
    """For they make much to be compiled."""
    return sorted(mutations, key=lambda m: m.path.endswith(".hpp"))


@cache  # as it was at the beginning, whatever becomes of the file meanwhile
def text_of(path):
    return (ROOT / path).read_text()


def described(m):
    text = text_of(m.path)
    line = text.split("\n")[m.line - 1].strip()
    column = m.begin - text.rfind("\n", 0, m.begin)
    if m.after == ";":
        return f"{m.path}:{m.line}: `{line}` [{column}: left out]"
    return f"{m.path}:{m.line}: `{line}` [{column}: {m.before.strip()} -> {m.after.strip() or 'nothing'}]"


class Session:
    """Builds one program of tests after the other and runs it, until one has found the change."""

    def __init__(self, chosen_suites, jobs):
        self.suites = chosen_suites
        self.build = MutationBuild(jobs)
        self.results = []

    def measure(self):
        for suite in self.suites:
            if wrong := self.build.make(suite.target):
                sys.exit("without any change, it does not compile:\n" + wrong[-3000:])
            begin = time.monotonic()
            if failed := suite.run(BUILD):
                sys.exit(f"without any change, {failed}")
            took = time.monotonic() - begin
            suite.limit = max(suite.least, 5 * took)
            suite.plain = digest(BUILD / suite.program)
            print(f"{suite.name}: {took:.1f} s", flush=True)
        self.build.remember()

    def judge(self, mutation):
        with self.build.changed(mutation):
            for suite in self.suites:
                if self.build.make(suite.target):
                    return NOT_COMPILED
                if digest(BUILD / suite.program) != suite.plain and (failed := suite.run(BUILD)):
                    return failed
            return SAME if self.build.is_same_when_optimised() else SURVIVED

    def run_all(self, mutations):
        outcomes = []
        for m in mutations:
            begin = time.monotonic()
            outcomes.append((m, self.judge(m)))
            self.results.append(outcomes[-1])
            took = time.monotonic() - begin
            print(f"[{len(outcomes)}/{len(mutations)}] {described(m)}  {outcomes[-1][1]}  ({took:.0f} s)", flush=True)
        return outcomes

    def run_parts(self, parts):
        """One of each part, and another for as long as what was drawn tells nothing."""
        open_parts = [list(reversed(part)) for part in parts]
        while open_parts := [part for part in open_parts if part]:
            drawn = {part.pop(): part for part in open_parts}
            told_nothing = [m for m, outcome in self.run_all(headers_last(drawn)) if outcome in (NOT_COMPILED, SAME)]
            open_parts = [drawn[m] for m in told_nothing]


def summarise(results, chosen_suites):
    outcomes = Counter(o for _, o in results)
    counted = [(m, o) for m, o in results if o not in (NOT_COMPILED, SAME)]
    survivors = [m for m, o in counted if o == SURVIVED]
    by_suite = Counter(o.split(":")[0] for _, o in counted if o != SURVIVED)
    print(f"\n{len(results)} changes: {outcomes[NOT_COMPILED]} do not compile, {outcomes[SAME]} leave the code that the "
          f"compiler makes as it is, {len(counted)} count")
    for suite in chosen_suites:
        print(f"  {suite.name:<12} {by_suite[suite.name]:4} found")
    print(f"  {'SURVIVED':<12} {len(survivors):4}")
    by_kind = Counter(m.kind for m, _ in counted)
    for kind, number in sorted(by_kind.items()):
        missed = sum(1 for m in survivors if m.kind == kind)
        print(f"  {kind:<20} {number - missed:3} of {number}")
    for m in survivors:
        print(f"  SURVIVED {described(m)}")
    share = 1 - len(survivors) / max(1, len(counted))
    print(f"{100 * share:.1f} % found")
    return share


def main():
    parser = argparse.ArgumentParser(prog="scripts/mutate.sh")
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--again")
    parser.add_argument("--worlds", type=int, default=1000)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--servers", action="store_true")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()

    everything = candidates(arguments.only)
    if arguments.again:
        again = Path(arguments.again).read_text()
        parts = [[m] for m in everything if f"SURVIVED {described(m)}" in again]
    elif arguments.only and not arguments.count:
        parts = [[m] for m in everything]
    else:
        parts = parts_of(everything, min(arguments.count or 100, len(everything)), arguments.seed)
    if arguments.list:
        for m in headers_last(part[0] for part in parts):
            print(f"{described(m)}  {m.kind}")
        print(f"{len(parts)} of {len(everything)} changes")
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    session = Session(suites(SOURCE, arguments.servers, arguments.worlds), arguments.jobs)
    session.measure()
    try:
        session.run_parts(parts)
    finally:  # also of what was judged before it was stopped
        share = summarise(session.results, session.suites)
    sys.exit(0 if share >= WANTED else 1)


main()
