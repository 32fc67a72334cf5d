"""A copy of the sources that is changed and built over and over, and what its compiler makes of a change."""

import hashlib
import json
import os
import shlex
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / "build" / "mutants"
SOURCE = HOME / "source"
BUILD = HOME / "build"
OPTIONS = ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g0", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
           "-DREDLOCK_UNITY=OFF", "-DREDLOCK_WERROR=OFF", "-DREDLOCK_MISTAKES=OFF", "-DREDLOCK_INSTALL=OFF",
           "-DREDLOCK_BUILD_TOOL=OFF", "-DREDLOCK_BUILD_EXAMPLES=OFF", "-DREDLOCK_BUILD_BENCH=OFF"]


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


def digest(path):
    return hashlib.sha256(path.read_bytes()).digest()


class MutationBuild:
    """One change at a time."""

    def __init__(self, jobs):
        HOME.mkdir(parents=True, exist_ok=True)
        copy_sources()
        subprocess.run(["cmake", "-S", SOURCE, "-B", BUILD, "-G", "Ninja", *OPTIONS], check=True,
                       stdout=subprocess.DEVNULL)
        self.target, self.original = None, ""  # the file that is changed, and what stands in it otherwise
        self.command = ["cmake", "--build", BUILD, *(["--parallel", str(jobs)] if jobs else []), "--target"]
        self.plain = {}  # what each object is without a change, as it is built
        self.optimised_plain = {}  # and with more care
        self.compilations = {}

    def make(self, *targets):
        """Nothing, or what the compiler says."""
        made = subprocess.run([*self.command, *targets], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace")
        return None if made.returncode == 0 else made.stdout

    def remember(self):
        """What was just built is without a change."""
        self.plain = {o: (o.stat().st_mtime_ns, digest(o)) for o in BUILD.rglob("*.o")}
        for c in json.loads((BUILD / "compile_commands.json").read_text()):
            words = shlex.split(c["command"])
            self.compilations[BUILD / words[words.index("-o") + 1]] = words

    @contextmanager
    def changed(self, mutation):
        self.target = SOURCE / mutation.path
        self.original = original = self.target.read_text()
        try:
            self.target.write_text(original[: mutation.begin] + mutation.after + original[mutation.end :])
            yield
        finally:
            self.target.write_text(original)

    def objects_that_differ(self):
        """Of what is built now. There is nothing in them that only debuggers need, and no time."""
        return [o for o, (when, what) in self.plain.items() if o.stat().st_mtime_ns != when and digest(o) != what]

    def is_same_when_optimised(self):
        """Whether the compiler makes the same of the change that is there as of what was there before if it takes more
        care. Only where it does not with less care, for what comes out the same then is the same."""
        for built in self.objects_that_differ():
            after = self.optimised(built)
            if after is None or after != self.optimised_without_change(built):
                return False
        return True

    def optimised_without_change(self, built):
        if built not in self.optimised_plain:
            changed = self.target.read_text()
            self.target.write_text(self.original)
            self.optimised_plain[built] = self.optimised(built)
            self.target.write_text(changed)
        return self.optimised_plain[built]

    def optimised(self, built):
        output = HOME / "optimised.o"
        output.unlink(missing_ok=True)
        words = iter(self.compilations[built])
        command = []
        for word in words:
            if word in ("-o", "-include"):  # a precompiled header is of no use with other options
                next(words)
            elif word not in ("-O1", "-Winvalid-pch"):
                command.append(word)
        made = subprocess.run([*command, "-O2", "-w", "-o", output], cwd=BUILD, capture_output=True)
        return digest(output) if made.returncode == 0 else None
