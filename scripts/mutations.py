"""Finds the small changes that can be made to C++ source, without parsing it: clang-format has put blanks around every
binary operator and none around the brackets of templates."""

import re
from collections import namedtuple

# `begin` and `end` are places in the text of the file; `after` takes the place of what stands between.
Mutation = namedtuple("Mutation", "path line begin end before after kind")

# What only counts, tells, checks or plants: nothing that a lock depends on.
LEFT_OUT = re.compile(
    r"\bassert\b|static_assert|\bplanted\(|\bcounters\b|\bcounts\(\)|\bcounts\.|observer|\bo->|prefetch|fetch_ahead|fetch_end_ahead"
    r"|\) (const )?(noexcept )?= 0;|^\s*\w+ = \d+,?\s*$|: \d+ = |#\s*(include|pragma|if|endif|else|define)|\.(record|reserve)\(now|_time\.record|stop_margin\.record|\boperator\b|\btemplate\b"
    r"|came_too_late_ =|const bool above|wants_token|failure_\(|failure_text|describe|\bexplain\(|hears_of|using |\benum\b|\bnoexcept\(|\bfriend\b|fmt::"
)

EXCHANGES = [
    # kind, what, by what
    ("comparison", r" < ", [" <= ", " >= "]),
    ("comparison", r" <= ", [" < ", " > "]),
    ("comparison", r" > ", [" >= ", " <= "]),
    ("comparison", r" >= ", [" > ", " < "]),
    ("comparison", r" == ", [" != "]),
    ("comparison", r" != ", [" == "]),
    ("logic", r" && ", [" || "]),
    ("logic", r" \|\| ", [" && "]),
    ("arithmetic", r" \+ ", [" - "]),
    ("arithmetic", r"(?<=[\w)\]]) - (?=[\w(])", [" + "]),
    ("arithmetic", r"(?<=[\w)\]]) \* (?=[\w(])", [" / "]),
    ("arithmetic", r"(?<=[\w)\]]) / (?=[\w(])", [" * "]),
    ("arithmetic", r" \+= ", [" -= "]),
    ("arithmetic", r" -= ", [" += "]),
    ("arithmetic", r" \|= ", [" &= "]),
    ("arithmetic", r" &= ", [" |= "]),
    ("arithmetic", r"(?<=[\w)\]]) \| (?=[\w(])", [" & "]),
    ("arithmetic", r"(?<=[\w)\]]) & (?=[\w(])", [" | "]),
    ("arithmetic", r"\+\+(?=\w)", ["--"]),
    ("arithmetic", r"(?<![-\w)])--(?=\w)", ["++"]),
    ("negation", r"(?<![\w)])!(?=[\w(])", [""]),
    ("operand", r"std::min\b", ["std::max"]),
    ("operand", r"std::max\b(?!_align)", ["std::min"]),
    ("operand", r"\btrue\b", ["false"]),
    ("operand", r"\bfalse\b", ["true"]),
    ("operand", r"\bvote::yes\b", ["vote::no"]),
    ("operand", r"\bvote::no\b", ["vote::yes"]),
    ("operand", r"\bverdict::granted\b", ["verdict::refused"]),
    ("operand", r"\bverdict::refused\b", ["verdict::unreachable"]),
    ("operand", r"\boutcome::confirmed\b", ["outcome::gone"]),
    ("operand", r"\boutcome::gone\b", ["outcome::inconclusive"]),
    ("operand", r"\boutcome::inconclusive\b", ["outcome::confirmed"]),
    ("operand", r"\binstant::max\(\)", ["instant::min()"]),
    ("operand", r"\binstant::min\(\)", ["instant::max()"]),
    ("bound", r"\bmajority\(nodes_?\)|\bmajority\(nodes\(\)\)|\bmajority\(votes\(\)\.nodes\(\)\)", ["{} - 1", "{} + 1"]),
    ("bound", r"(?<![\w.:'\"<])\d+(?![\w.'\"]|ms\b)", ["number"]),
]

CALL = re.compile(r"^(?:[\w:]+(?:<[\w, ]*>)?(?:\([^;{}]*?\))?(?:\.|->))*[\w:]+\(.*\);$")
ASSIGNMENT = re.compile(r"^\*?[\w.\[\]()>-]+ (?:[-+|&]?=) [^;{}]*;$")
GUARD = re.compile(r"^if \(.*\) (?:return|continue|break)\b[^;{}]*;$")
TERNARY = re.compile(r" \? ([\w.:()>-]+) : ([\w.:()>-]+)(?=[;,)])")


def masked(text):
    """The text with blanks in place of comments and of what stands between quotes."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])*\'', re.S)
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def statement_behind(line):
    """What an `if` in one line does, should it be more than a way out; nothing for any other line."""
    if not re.match(r"(?:else )?if (?:constexpr )?\(", line) or not line.endswith(";"):
        return None
    depth = 0
    for place, c in enumerate(line):
        depth += (c == "(") - (c == ")")
        if c == ")" and depth == 0:
            rest = line[place + 1 :].strip()
            return None if re.match(r"(return|continue|break)\b", rest) else rest or None
    return None


def replacements(found, by):
    for one in by:
        if one == "number":
            yield str(int(found) + 1)
            if int(found) > 0:
                yield str(int(found) - 1)
        else:
            yield one.format(found) if "{}" in one else one


def mutations_of(path, text):
    code = masked(text)
    places = 0
    ends = [";", "{", "}", ")", ":", ""]
    before = ""
    for number, line in enumerate(code.split("\n"), 1):
        begin, places = places, places + len(line) + 1
        stripped = line.strip()
        if not stripped or LEFT_OUT.search(line):
            before = stripped or before
            continue
        for kind, what, by in EXCHANGES:
            for m in re.finditer(what, line):
                for new in replacements(m.group(), by):
                    yield Mutation(path, number, begin + m.start(), begin + m.end(), m.group(), new, kind)
        for m in TERNARY.finditer(line):
            yield Mutation(path, number, begin + m.start(), begin + m.end(), m.group(), f" ? {m.group(2)} : {m.group(1)}", "operand")
        first = begin + len(line) - len(line.lstrip())
        whole = (path, number, first, first + len(stripped), stripped)
        starts = not before or before[-1] in ";{}):" or before == "else"
        if starts and not stripped.startswith(("return", "co_return", "explicit", "virtual", "delete ", "~")):
            if GUARD.match(stripped):
                yield Mutation(*whole, ";", "guard left out")
            elif CALL.match(stripped) and not stripped.startswith("if "):
                yield Mutation(*whole, ";", "call left out")
            elif ASSIGNMENT.match(stripped):
                yield Mutation(*whole, ";", "assignment left out")
        if done := statement_behind(stripped):
            end = first + len(stripped)
            yield Mutation(path, number, end - len(done), end, done, ";", "statement left out")
        before = stripped
