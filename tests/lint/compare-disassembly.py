#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists functions whose machine code differs between two builds: compare-disassembly.py OLD_BUILD NEW_BUILD. Run by hand after a move or rename.

    meson setup build-before --buildtype=release && ninja -C build-before     # the commit before
    meson setup build-after --buildtype=release && ninja -C build-after       # the commit after, same compiler and options
    python3 tests/lint/compare-disassembly.py build-before build-after --only src/liblac-base --only src/liblac-solver

Functions are matched by name in any object, so a function that moved to another file still matches. Functions of the same
name in several objects (static ones) are compared as a multiset. --renames FILE holds lines `OLD NEW` for symbols. --only PREFIX selects
objects by the start of their path in the build folder; the default is src and the program. --show prints a diff of the instructions.
Exit status: 0 no difference, 1 a difference. lac_provenance_new holds the revision and differs between two commits.

Instructions are compared together with the symbols, strings and constants they refer to. Removed first: addresses (a jump becomes the n-th
label of its function), padding, numbers appended by the compiler (`foo.constprop.0`, `table.12`), names of source files, and line numbers
of assertions. Tables and other data are not compared, jump tables of switches included. When a public function turns static the compiler
may inline it, and its callers then differ: read such a difference.
"""
import argparse
import collections
import difflib
import json
import pathlib
import re
import struct
import subprocess
import sys

BATCH = 64  # object files for one call of objdump
FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
INSTRUCTION = re.compile(r"^ *([0-9a-f]+):\t(.*)$")
RELOCATION = re.compile(r"\t([0-9a-f]+): (R_\w+)\t(\S+?)([+-]0x[0-9a-f]+)?(?=\t|$)")
TARGET = re.compile(r"\b[0-9a-f]+ <(.+?)(?:\+0x([0-9a-f]+))?>$")
CLONE = re.compile(r"\.(\d+)(?=\.|$)")
PADDING = re.compile(r"(data16 |cs )*nop|xchg +%ax,%ax$|int3$")
SOURCE = re.compile(r"[\w./-]+\.(c|h|inc|def)")
LINE_NUMBER = re.compile(r"^(mov +)\$0x[0-9a-f]+(,%edx)$")
LINES_BEFORE_CALL = 12
HAS_STRINGS = 0x20


class Object:
    """Sections and symbols of an ELF64 object file."""

    def __init__(self, path):
        self.content = path.read_bytes()
        if self.content[:5] != b"\x7fELF\x02":
            sys.exit(f"{path} is no 64-bit ELF object: was it built with LTO?")
        offset, = struct.unpack_from("<Q", self.content, 40)
        size, count, names = struct.unpack_from("<HHH", self.content, 58)
        heads = [struct.unpack_from("<IIQQQQIIQQ", self.content, offset + i * size) for i in range(count)]
        self.sections = {}
        self.symbols = collections.defaultdict(list)  # section -> (value, size, name) of functions and data
        self.places = {}  # symbols without a type, such as constants (.LC3): section, value
        section_names = [self.text(heads[names][4] + head[0]) for head in heads]
        for name, head in zip(section_names, heads):
            self.sections.setdefault(name, head)
        for head in heads:
            if head[1] == 2:  # SHT_SYMTAB
                self.read_symbols(head, heads[head[6]][4], section_names)

    def text(self, offset):
        return self.content[offset : self.content.index(b"\0", offset)].decode("utf-8", "replace")

    def read_symbols(self, head, strings, section_names):
        for at in range(head[4], head[4] + head[5], 24):
            name, info, _, section, value, size = struct.unpack_from("<IBBHQQ", self.content, at)
            if section >= len(section_names):
                continue
            if info & 15 in (1, 2):  # STT_OBJECT, STT_FUNC
                self.symbols[section_names[section]].append((value, size, self.text(strings + name)))
            elif section:
                self.places[self.text(strings + name)] = section_names[section], value

    def describe(self, section, offset, rename):
        """Describes the data at `offset` of `section` independently of its address: string, constant, or symbol and offset."""
        head = self.sections.get(section)
        if head is None:
            return section
        if head[2] & HAS_STRINGS and 0 <= offset < head[5]:
            text = self.text(head[4] + offset)
            return "<source>" if SOURCE.fullmatch(text) else repr(rename.get(text, text))
        constant = re.match(r"\.rodata\.cst(\d+)", section)
        if constant and 0 <= offset < head[5]:
            return "=" + self.content[head[4] + offset : head[4] + offset + int(constant.group(1))].hex()
        for value, size, name in self.symbols[section]:
            if value <= offset < value + max(size, 1):
                return f"{plain(name, rename)}+{offset - value:#x}"
        return section


def plain(symbol, rename):
    base, dot, clone = CLONE.sub("", symbol).partition(".")
    return rename.get(base, base) + dot + clone


class Code:
    """bodies[name]: normalised instructions of every function of that name, with its object."""

    def __init__(self, build, only, rename):
        self.rename = rename
        self.bodies = collections.defaultdict(list)
        commands = json.loads((build / "compile_commands.json").read_text())
        outputs = sorted({command["output"] for command in commands if command["output"].startswith(tuple(only))})
        if not outputs:
            sys.exit(f"{build} has no object file that begins with {' or '.join(only)}")
        for i in range(0, len(outputs), BATCH):
            self.read(build, outputs[i : i + BATCH])

    def read(self, build, outputs):
        missing = [output for output in outputs if not (build / output).exists()]
        if missing:
            sys.exit(f"{build / missing[0]} is missing: build first")
        listing = subprocess.run(
            ["objdump", "-d", "-r", "-w", "--no-show-raw-insn", *outputs], cwd=build, capture_output=True, text=True, check=True
        ).stdout
        output = elf = name = None
        rows = []
        for line in listing.splitlines():
            if ":     file format " in line:
                self.finish(name, rows, elf, output)
                output, name = line.split(":     file format ")[0], None
                elf = Object(build / output)
            elif match := FUNCTION.match(line):
                self.finish(name, rows, elf, output)
                name, rows = match.group(1), []
            elif match := INSTRUCTION.match(line):
                rows.append((int(match.group(1), 16), match.group(2)))
        self.finish(name, rows, elf, output)

    def finish(self, name, rows, elf, output):
        if name is not None and rows:
            self.bodies[plain(name, self.rename)].append((tuple(self.normalise(name, rows, elf)), output))

    def normalise(self, name, rows, elf):
        start, ends = rows[0][0], [at for at, _ in rows[1:]] + [None]
        lines = [self.instruction(name, text, end, elf) for (_, text), end in zip(rows, ends)]
        targets = sorted({target for _, target in lines if target is not None})
        labels = {target: f"L{i}" for i, target in enumerate(targets, 1)}
        result = []
        for (at, _), (text, target) in zip(rows, lines):
            if at - start in labels:
                result.append(f"{labels[at - start]}:")
            if PADDING.match(text):
                continue
            result.append(text if target is None else f"{text} {labels[target]}")
            if "g_assertion_message" in text:
                hide_line_number(result)
        return result

    def instruction(self, name, text, end, elf):
        """Returns the instruction without addresses, and the offset in its function that it jumps to or None."""
        relocations = list(RELOCATION.finditer(text))
        text = text[: relocations[0].start()] if relocations else text
        text = re.sub(r"\s+", " ", text.split(" # ")[0]).strip()
        target = None
        jump = TARGET.search(text)
        if jump and relocations:
            text = text[: jump.start()] + "@"
        elif jump and jump.group(1) == name:
            text, target = text[: jump.start()].strip(), int(jump.group(2) or "0", 16)
        elif jump:
            text = text[: jump.start()] + plain(jump.group(1), self.rename) + (f"+0x{jump.group(2)}" if jump.group(2) else "")
        for match in relocations:
            at, kind, symbol, addend = int(match.group(1), 16), match.group(2), match.group(3), int(match.group(4) or "0", 16)
            if kind.startswith(("R_X86_64_PC", "R_X86_64_PLT", "R_X86_64_GOTPC", "R_X86_64_REX_GOTPC")) and end is not None:
                addend += end - at
            section, value = elf.places.get(symbol, (symbol, 0))
            if section.startswith("."):
                text += f" [{elf.describe(section, value + addend, self.rename)}]"
            else:
                text += f" [{plain(symbol, self.rename)}{f'{addend:+#x}' if addend else ''}]"
        return text, target


def hide_line_number(lines):
    for i in range(len(lines) - 2, max(len(lines) - 2 - LINES_BEFORE_CALL, -1), -1):
        if LINE_NUMBER.match(lines[i]):
            lines[i] = LINE_NUMBER.sub(r"\1$LINE\2", lines[i])
            return


def without_name(body, name):
    return tuple(re.sub(rf"\b{re.escape(name)}\b", "<self>", line) for line in body)


def leftover(mine, others):
    """Yields the bodies of `mine` that are not in `others`, as multisets."""
    left = collections.Counter(body for body, _ in others)
    for body, where in mine:
        if left[body]:
            left[body] -= 1
        else:
            yield body, where


def compare(old, new, show):
    gone = {name: bodies for name, bodies in old.bodies.items() if name not in new.bodies}
    come = {name: bodies for name, bodies in new.bodies.items() if name not in old.bodies}
    alike = {without_name(body, name): name for name, bodies in come.items() for body, _ in bodies}
    n_differ = 0
    for name in sorted(old.bodies.keys() & new.bodies.keys()):
        before, after = list(leftover(old.bodies[name], new.bodies[name])), list(leftover(new.bodies[name], old.bodies[name]))
        n_differ += bool(before or after)
        for i in range(max(len(before), len(after))):
            (a, where_a), (b, where_b) = (side[i] if i < len(side) else ((), "nowhere") for side in (before, after))
            print(f"differs: {name} ({where_a}" + (f", now {where_b})" if where_a != where_b else ")"))
            if show:
                print("\n".join(list(difflib.unified_diff(a, b, lineterm="", n=2))[2:]))
    for name, bodies in sorted(gone.items()):
        twin = alike.get(without_name(bodies[0][0], name))
        print(f"gone: {name} ({bodies[0][1]})" + (f"; {twin} has the same code" if twin else ""))
    for name, bodies in sorted(come.items()):
        print(f"new: {name} ({bodies[0][1]})")
    print(f"{len(new.bodies)} names of functions compared with {len(old.bodies)}: {n_differ} differ, {len(gone)} gone, {len(come)} new")
    return 1 if n_differ or gone or come else 0


def read_renames(path):
    lines = (line.split("#")[0].split() for line in path.read_text().splitlines()) if path else ()
    return {words[0]: words[1] for words in lines if len(words) == 2}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--only", metavar="PREFIX", action="append")
    parser.add_argument("--renames", metavar="FILE", type=pathlib.Path)
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    only = arguments.only or ["src/", "lacuna.p/"]
    old = Code(arguments.old, only, read_renames(arguments.renames))
    new = Code(arguments.new, only, {})
    return compare(old, new, arguments.show)


if __name__ == "__main__":
    sys.exit(main())
