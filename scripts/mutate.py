"""What scripts/mutate.sh runs."""

import argparse
import os
import queue
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

from mutations import mutations_of

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / "build" / "mutants"
SOURCE = HOME / "source"
BUILD = HOME / "build"
FOLDERS = ["src/core", "src/core/quorum", "src/lease", "src/engine", "src/engines/redis/quorum"]
# Text, counts, measures: no lock depends on them.
FILES_LEFT_OUT = re.compile(
    r"/(mistake|report|counters|histogram\w*|refusal_text|request_text|round_failure|error|error_name|printable|failure|low_water|round_trips|usual_round_trip)\.[ch]pp$"
)
ENOUGH_WORLDS = 5  # in which a change was found
WANTED = 0.95
MEMORY = 6 << 30
# Of the suites that start servers, those that take a few seconds.
QUICK_SUITES = "acquire,late_release,handoff,renewal,lease,loss,fencing,fencing_nodes,options,split_vote,overload"


class Suite:
    """A program that a change may be found by, and how long it may run: more is a loop without end."""

    def __init__(self, name, program, arguments=(), least=30):
        self.name, self.program, self.arguments, self.limit, self.least = name, program, list(arguments), least * 4, least

    def run(self, folder):
        """Nothing, or how it failed."""
        limits = lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        program = [folder / Path(self.program).name, *self.arguments]
        with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              preexec_fn=limits, start_new_session=True, cwd=folder) as process:
            try:
                output, _ = process.communicate(timeout=self.limit)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                process.communicate()
                return f"{self.name}: did not end in {self.limit:.0f} s"
            except BaseException:
                os.killpg(process.pid, 9)  # nothing goes on when this is stopped
                raise
        if process.returncode == 0:
            return None
        return f"{self.name}: {self.reason_in(output, process.returncode)}"

    def reason_in(self, output, code):
        if self.name == "simulation":
            breaches = re.findall(r"^seed \d+: (.*)", output, re.M)
            worlds = re.search(r"^(\d+) seeds .* (\d+) failed$", output, re.M)
            if breaches and worlds:
                return f"{len(breaches)} of {worlds[1]} worlds, {breaches[0][:70]}"
        if found := re.search(r'error: in "([^"]+)"', output):
            return found[1]
        if found := re.search(r"[\w/.]+:\d+: .*Assertion `[^']*' failed", output):
            return found[0][:100]
        return f"ended by signal {-code}" if code < 0 else f"ended with {code}"


def suites(with_servers, worlds):
    simulation = ["--seeds", str(worlds), "--jobs", "2", "--enough", str(ENOUGH_WORLDS), "--failed-seeds",
                  str(SOURCE / "test/sim/failed_seeds.txt")]
    chosen = [
        Suite("core", "test/redlock_core_test"),
        Suite("lease", "test/redlock_lease_test"),
        Suite("turn", "test/redlock_turn_test"),
        Suite("redis", "test/redlock_redis_test"),
        Suite("quorum", "test/redlock_quorum_test"),
        Suite("simulation", "test/sim/redlock_sim", simulation, least=120),
    ]
    if with_servers:
        chosen.append(Suite("servers", "test/redlock_client_test", ["--run_test=" + QUICK_SUITES], least=120))
    return chosen


def copy_sources():
    """Writes what differs, and nothing else, so that little is to be built. The user's files are only read."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            capture_output=True, check=True).stdout.decode()
    wanted = {name for name in listed.split("\0") if name and (ROOT / name).is_file()}
    for old in [f for f in SOURCE.rglob("*") if f.is_file()]:
        if str(old.relative_to(SOURCE)) not in wanted:
            old.unlink()
    for name in wanted:
        new, old = ROOT / name, SOURCE / name
        if old.exists() and old.read_bytes() == new.read_bytes():
            continue
        old.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(new, old)
        shutil.copymode(new, old)


def build(targets):
    command = ["cmake", "--build", BUILD, "--target", *targets]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")


def configure():
    options = ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g0", "-DREDLOCK_WERROR=OFF",
               "-DREDLOCK_MISTAKES=OFF", "-DREDLOCK_INSTALL=OFF", "-DREDLOCK_BUILD_TOOL=OFF",
               "-DREDLOCK_BUILD_EXAMPLES=OFF", "-DREDLOCK_BUILD_BENCH=OFF"]
    subprocess.run(["cmake", "-S", SOURCE, "-B", BUILD, "-G", "Ninja", *options], check=True, stdout=subprocess.DEVNULL)


def candidates(only):
    wanted = [tuple(o.split(":")) for o in only]
    found = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).glob("*.[ch]pp")):
            name = str(path.relative_to(ROOT))
            if wanted and not any(name.endswith(w[0]) for w in wanted) or not wanted and FILES_LEFT_OUT.search(name):
                continue
            lines = {int(w[1]) for w in wanted if name.endswith(w[0]) and len(w) > 1}
            found += [m for m in mutations_of(name, path.read_text()) if not lines or m.line in lines]
    return found


def choose(all_of_them, count, seed):
    """One of each of `count` parts that are equally large: spread over the files, after their size. Headers last,
    for they make much to be compiled."""
    draws = random.Random(seed)
    edges = [len(all_of_them) * i // count for i in range(count + 1)]
    chosen = [all_of_them[draws.randrange(a, b)] for a, b in zip(edges, edges[1:]) if a < b]
    draws.shuffle(chosen)
    return sorted(chosen, key=lambda m: m.path.endswith(".hpp"))


def described(m):
    line = (ROOT / m.path).read_text().split("\n")[m.line - 1].strip()
    start = (ROOT / m.path).read_text().rfind("\n", 0, m.begin) + 1
    column = m.begin - start + 1
    if m.after == ";":
        return f"{m.path}:{m.line}: `{line}` [{column}: left out]"
    return f"{m.path}:{m.line}: `{line}` [{column}: {m.before.strip()} -> {m.after.strip() or 'nothing'}]"


class Session:
    """Builds the next change while the one before runs."""

    def __init__(self, chosen_suites):
        self.suites = chosen_suites
        self.targets = [Path(s.program).name for s in chosen_suites]
        self.results = []
        self.built = queue.Queue(maxsize=1)

    def take_programs(self, place):
        folder = HOME / f"run{place}"
        folder.mkdir(exist_ok=True)
        for suite in self.suites:
            program = folder / Path(suite.program).name
            program.unlink(missing_ok=True)
            shutil.copy2(BUILD / suite.program, program)
        return folder

    def measure(self):
        made = build(self.targets)
        if made.returncode != 0:
            sys.exit("without any change, it does not compile:\n" + made.stdout[-3000:])
        folder = self.take_programs(0)
        for suite in self.suites:
            begin = time.monotonic()
            if failed := suite.run(folder):
                sys.exit(f"without any change, {failed}")
            took = time.monotonic() - begin
            suite.limit = max(suite.least, 5 * took)
            print(f"{suite.name}: {took:.1f} s", flush=True)

    def build_all(self, mutations):
        for number, m in enumerate(mutations):
            target = SOURCE / m.path
            original = target.read_text()
            try:
                target.write_text(original[: m.begin] + m.after + original[m.end :])
                compiled = build(self.targets).returncode == 0
                folder = self.take_programs(number % 3) if compiled else None
            finally:
                target.write_text(original)
            self.built.put((m, folder))
        self.built.put(None)

    def run_all(self, mutations):
        threading.Thread(target=self.build_all, args=(mutations,), daemon=True).start()
        begin = time.monotonic()
        while item := self.built.get():
            m, folder = item
            outcome = "DOES NOT COMPILE"
            if folder:
                found = (failed for suite in self.suites if (failed := suite.run(folder)))
                outcome = next(found, "SURVIVED")
            self.results.append((m, outcome))
            passed = time.monotonic() - begin
            print(f"[{len(self.results)}/{len(mutations)} {passed:.0f} s] {described(m)}  {outcome}", flush=True)
        return self.results


def summarise(results, chosen_suites):
    counted = [(m, o) for m, o in results if o != "DOES NOT COMPILE"]
    survivors = [m for m, o in counted if o == "SURVIVED"]
    by_suite = Counter(o.split(":")[0] for _, o in counted if o != "SURVIVED")
    print(f"\n{len(results)} changes, {len(results) - len(counted)} of which do not compile")
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
    parser.add_argument("--servers", action="store_true")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()

    everything = candidates(arguments.only)
    if arguments.again:
        again = Path(arguments.again).read_text()
        mutations = [m for m in everything if f"SURVIVED {described(m)}" in again]
    elif arguments.only and not arguments.count:
        mutations = everything
    else:
        mutations = choose(everything, min(arguments.count or 100, len(everything)), arguments.seed)
    if arguments.list:
        for m in mutations:
            print(f"{described(m)}  {m.kind}")
        print(f"{len(mutations)} of {len(everything)} changes")
        return
    HOME.mkdir(parents=True, exist_ok=True)
    copy_sources()
    configure()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    session = Session(suites(arguments.servers, arguments.worlds))
    session.measure()
    share = summarise(session.run_all(mutations), session.suites)
    sys.exit(0 if share >= WANTED else 1)


main()
