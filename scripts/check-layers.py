#!/usr/bin/env python3
"""Says which file includes another against the layering, and which rule that breaks. Ends with 1 if one does.

A file of src may include those of its own folder and of the layers above its own in LAYERS, and public headers. A public
header includes nothing of src. See docs/design.md, "Layers". Files of the command name each other from src/tool on.
"""
import pathlib
import re
import sys

# What each part of the command may include besides itself.
TOOL = {
    "text": [],
    "cli": ["text"],
    "nodes": ["text", "cli"],
    "manual": ["text", "cli", "nodes"],
    "process": ["text", "cli"],
    "run": ["text", "cli", "nodes", "process"],
    "local": ["text", "cli", "nodes", "process"],
    "look": ["text", "cli", "nodes"],
    "doctor": ["text", "cli", "nodes"],
    "bench": ["text", "cli", "nodes", "process"],
    "sql": ["cli"],
}
# Each layer with what it may include besides itself; src/tool is on the public headers alone.
LAYERS = {
    "core": [],
    "memory": [],
    "time": ["core"],
    "network": ["core", "time"],
    "turn": ["core", "memory", "time"],
    "engine": ["core", "memory", "time", "turn"],
    "lease": ["core", "memory", "time", "turn", "engine"],
    "primitive": ["core", "memory", "time", "turn", "engine", "lease"],
    "engines/redis/resp": ["core"],
    "engines/redis/node": ["core", "time", "network", "engines/redis/resp"],
    "engines/redis": ["core", "memory", "time", "turn", "engine"],
    "engines/memory": ["core", "memory", "time", "turn", "engine"],
    "engines/etcd": ["core", "memory", "time", "network", "turn", "engine"],
    "engines/sql": ["core", "memory", "time", "network", "turn", "engine"],
    "engines/pair": ["core", "memory", "time", "turn", "engine"],
    "engines/zookeeper": ["core", "memory", "time", "network", "turn", "engine"],
    "client": ["core", "memory", "time", "network", "turn", "engine", "lease", "primitive", "engines/redis", "engines/memory",
               "engines/etcd", "engines/sql", "engines/pair", "engines/zookeeper"],
    "blocking": ["time"],
    "c": [],
    "tool": [f"tool/{part}" for part in TOOL],
    **{f"tool/{part}": [f"tool/{other}" for other in others] for part, others in TOOL.items()},
}
WITHOUT_ASIO = ("core/", "engines/redis/resp/")
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<(boost/asio[^>]*)>)', re.MULTILINE)


def layer_of(path):
    """The longest name of a layer that the path begins with."""
    return max((name for name in LAYERS if path.startswith(name + "/")), key=len, default=None)


def faults_of(name, text):
    """Of one file of src, as sentences."""
    own = layer_of(name)
    if own is None:
        return [f"src/{name}: its folder is no layer; name it in {pathlib.Path(__file__).name}"]
    found = []
    for included, asio in INCLUDE.findall(text):
        if asio:
            if name.startswith(WITHOUT_ASIO):
                found.append(f"src/{name} includes <{asio}>: {own} knows nothing of Asio")
            continue
        if name.startswith("tool/") and layer_of(f"tool/{included}") not in (None, "tool"):
            included = f"tool/{included}"
        other = layer_of(included)
        if other is None:
            found.append(f"src/{name} includes {included}: that is in no layer")
            continue
        if other == own or other.startswith(own + "/") or any(
            other == allowed or other.startswith(allowed + "/") for allowed in LAYERS[own]
        ):
            continue
        rule = f"{own} may include {', '.join(LAYERS[own]) or 'nothing else of src'}"
        found.append(f"src/{name} includes src/{included}: {rule}")
    return found


def faults_in(root):
    found = []
    for path in sorted((root / "src").rglob("*.[ch]pp")):
        name = path.relative_to(root / "src").as_posix()
        found += faults_of(name, path.read_text())
    for path in sorted((root / "include").rglob("*.hpp")):
        for included, _ in INCLUDE.findall(path.read_text()):
            if included:
                found.append(f"{path.relative_to(root)} includes \"{included}\": public headers include no file of src")
    return found


def check_itself():
    """That it can fail: each of these breaks a rule."""
    wrong = {
        "lease/acquire/acquire.cpp": '#include "engines/redis/rounds/round.hpp"',
        "engines/redis/rounds/round.cpp": '#include "engines/memory/store.hpp"',
        "engines/etcd/make_engine.cpp": '#include "engines/memory/store.hpp"',
        "engines/memory/store.cpp": '#include "lease/lessee.hpp"',
        "core/validity.cpp": "#include <boost/asio/post.hpp>",
        "engines/redis/resp/reader.cpp": '#include "engines/redis/node/node.hpp"',
        "turn/turns.cpp": '#include "engine/engine.hpp"',
        "tool/main.cpp": '#include "core/validity.hpp"',
        "tool/look/verdict.cpp": '#include "process/partner.hpp"',
        "tool/manual/help.cpp": '#include "run/run_command.hpp"',
        "tool/bench/load/load.cpp": '#include "../../core/validity.hpp"',
        "nowhere/file.cpp": "",
    }
    for name, text in wrong.items():
        if len(faults_of(name, text)) != 1:
            sys.exit(f"check-layers.py does not see what is wrong with {name}: {text}")
    if faults_of("lease/acquire/acquire.cpp", '#include "engine/engine.hpp"'):
        sys.exit("check-layers.py finds fault where there is none")


check_itself()
faults = faults_in(pathlib.Path(__file__).resolve().parent.parent)
print("\n".join(faults) if faults else "The layering holds.")
sys.exit(1 if faults else 0)
