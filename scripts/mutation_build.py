"""A copy of the sources that is changed and built over and over, and what its compiler makes of a change."""

import hashlib
import json
import os
import shlex
import shutil
import subprocess
import threading
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
    """One change at a time: whoever makes one has the sources for himself until it is taken back."""

    def __init__(self, targets, jobs):
        HOME.mkdir(parents=True, exist_ok=True)
        copy_sources()
        subprocess.run(["cmake", "-S", SOURCE, "-B", BUILD, "-G", "Ninja", *OPTIONS], check=True,
                       stdout=subprocess.DEVNULL)
        self.command = ["cmake", "--build", BUILD, *(["--parallel", str(jobs)] if jobs else []), "--target", *targets]
        self.alone = threading.Lock()
        self.plain = {}  # what each object is without a change, as it is built
        self.optimised_plain = {}  # and with more care
        self.compilations = {}

    def make(self):
        """Nothing, or what the compiler says."""
        made = subprocess.run(self.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        return None if made.returncode == 0 else made.stdout

    def remember(self):
        """What was just built is without a change."""
        self.plain = {o: (o.stat().st_mtime_ns, digest(o)) for o in BUILD.rglob("*.o")}
        for c in json.loads((BUILD / "compile_commands.json").read_text()):
            words = shlex.split(c["command"])
            self.compilations[BUILD / words[words.index("-o") + 1]] = words

    @contextmanager
    def changed(self, mutation):
        target = SOURCE / mutation.path
        with self.alone:
            original = target.read_text()
            try:
                target.write_text(original[: mutation.begin] + mutation.after + original[mutation.end :])
                yield
            finally:
                target.write_text(original)

    def objects_that_differ(self):
        """Of what is built now. There is nothing in them that only debuggers need, and no time."""
        return [o for o, (when, what) in self.plain.items() if o.stat().st_mtime_ns != when and digest(o) != what]

    def is_same_when_optimised(self, mutation, objects):
        """Whether the compiler makes the same of the change as of what was there before if it takes more care. Of
        `objects`, for what comes out the same with less care is the same."""
        for built in objects:
            with self.alone:
                if built not in self.optimised_plain:
                    self.optimised_plain[built] = self.optimised(built)
            with self.changed(mutation):
                after = self.optimised(built)
            if after is None or after != self.optimised_plain[built]:
                return False
        return True

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
