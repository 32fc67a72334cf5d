"""The programs that a change in the code may be found by."""

import os
import re
import resource
import subprocess
from pathlib import Path

ENOUGH_WORLDS = 5  # in which a change was found
MEMORY = 6 << 30
# Of the suites that start servers, those that take a few seconds.
QUICK_SUITES = "acquire,late_release,handoff,renewal,lease,loss,fencing,fencing_nodes,options,split_vote,overload"


class Suite:
    """A program that a change may be found by, and how long it may run: more is a loop without end."""

    def __init__(self, name, program, arguments=(), least=30):
        self.name, self.program, self.target, self.arguments = name, program, Path(program).name, list(arguments)
        self.limit, self.least = least * 4, least
        self.plain = None  # what it is without a change

    def run(self, folder):
        """Nothing, or how it failed."""
        limits = lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        program = [folder / self.program, *self.arguments]
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


def suites(source, with_servers, worlds):
    """The cheapest first."""
    simulation = ["--seeds", str(worlds), "--jobs", "2", "--enough", str(ENOUGH_WORLDS), "--failed-seeds",
                  str(source / "test/sim/failed_seeds.txt")]
    chosen = [
        Suite("core", "test/redlock_core_test"),
        Suite("lease", "test/redlock_lease_test"),
        Suite("primitive", "test/redlock_primitive_test"),
        Suite("turn", "test/redlock_turn_test"),
        Suite("redis", "test/redlock_redis_test"),
        Suite("quorum", "test/redlock_quorum_test"),
        Suite("simulation", "test/sim/redlock_sim", simulation, least=120),
    ]
    if with_servers:
        chosen.append(Suite("servers", "test/redlock_client_test", ["--run_test=" + QUICK_SUITES], least=120))
    return chosen
