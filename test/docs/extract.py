"""Writes a C++ file with every code block of the documentation, for a test to run them: those in C++ as code, each in a
namespace of its own, those for a shell and for redis.conf as text. A block in C++ that is not known how to run is an error.

    extract.py <output> <root of the repository> <document>...
"""

import re
import sys
from pathlib import Path

# How a block in C++ is run: by the last function of one of these forms.
FORMS = {
    "program": r"^int (main)\(int \w+, char\*\* \w+\)",
    "alone": r"^int (main)\(\)",
    "coroutine": r"^asio::awaitable<void> (\w+)\(redlock::client& locks\)",
    "settings": r"^redlock::config (\w+)\(std::vector<std::string> nodes\)",
}


class Block:
    def __init__(self, place, line, language, meanwhile):
        self.place, self.line, self.language, self.meanwhile = place, line, language, meanwhile
        self.lines = []


def blocks_of(document, place):
    """The fenced blocks of a document. `<!-- meanwhile: ... -->` in the line before one says what happens while it runs."""
    block, before = None, ""
    for number, line in enumerate(document.read_text().splitlines(), start=1):
        if block is None and line.startswith("```"):
            meanwhile = re.fullmatch(r"<!-- meanwhile: (.*) -->", before)
            block = Block(f"{place}:{number}", number + 1, line[3:], meanwhile[1] if meanwhile else "")
        elif block is not None and line == "```":
            yield block
            block = None
        elif block is not None:
            block.lines.append(line)
        before = line
    if block is not None:
        sys.exit(f"{block.place}: the block does not end")


def entry_of(block):
    found = [(match.start(), kind, match[1]) for kind, form in FORMS.items()
             for match in re.finditer(form, "\n".join(block.lines), re.MULTILINE)]
    if not found:
        sys.exit(f"{block.place}: no function that a test could run")
    return max(found)[1:]


def write(output, blocks):
    code = [block for block in blocks if block.language == "cpp"]
    includes = {line for block in code for line in block.lines if line.startswith("#include")}
    text = ['#include "docs/snippet.hpp"', "", *sorted(includes), ""]
    table = []
    for number, block in enumerate(code):
        kind, function = entry_of(block)
        document = block.place.rpartition(":")[0]
        # Left empty rather than out, so that the lines that the compiler names are those of the document.
        lines = ["" if line.startswith("#include") else line for line in block.lines]
        # Only the real main needs none.
        if kind in ("program", "alone") and not any(re.search(r"\breturn\b", line) for line in lines):
            lines[-1] = "return 0; " + lines[-1]
        text += [f"namespace snippet_{number} {{", f'#line {block.line} "{document}"', *lines, "}", ""]
        table.append(f'    {{.place = "{block.place}", .meanwhile = "{block.meanwhile}", '
                     f".{kind} = &snippet_{number}::{function}}},")
    text += ["namespace redlock::test {", f'#line 1 "{output.name}"', "std::span<const snippet> snippets() {",
             "    static const std::vector<snippet> all = {",
             *table, "    };", "    return all;", "}", ""]
    for language in ("sh", "conf"):
        text += [f"std::span<const text_snippet> {language}_snippets() {{", "    static const std::vector<text_snippet> all = {"]
        for block in blocks:
            if block.language == language:
                text += [f'    {{.place = "{block.place}", .text = R"snippet(' + "\n".join(block.lines) + ')snippet"},']
        text += ["    };", "    return all;", "}", ""]
    text += ["} // namespace redlock::test"]
    output.write_text("\n".join(text) + "\n")


def main():
    root = Path(sys.argv[2])
    blocks = [block for document in map(Path, sys.argv[3:]) for block in blocks_of(document, str(document.relative_to(root)))]
    write(Path(sys.argv[1]), blocks)


main()
