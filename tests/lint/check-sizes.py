#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks sizes: at most 800 lines per file, 60 per function, six parameters and an error; every file has a header comment."""
import pathlib
import re
import sys

MAX_FILE, MAX_FUNCTION, MAX_PARAMETERS = 800, 60, 6
# Exceptions: drawing primitives and BLAS-like calls with their customary argument lists; GTK measure functions; reverse passes, which
# take the arguments of the forward pass and a bar for each.
MANY_PARAMETERS = re.compile(r"^(lac_draw_|lac_dense_|lac_plot_|.*_measure$|.*_reverse$)")
# A definition as clang-format writes it: the name at the start of a line, the brace alone on a line.
NAME = re.compile(r"^([A-Za-z_]\w*)\(")


def parameters(text):
    text = re.sub(r",\s*GError\s*\*\*\w+(\s+G_GNUC_UNUSED)?\)", ")", text)
    depth = count = 0
    for letter in text:
        if letter == "(":
            depth += 1
        elif letter == ")":
            depth -= 1
            if not depth:
                break
        elif letter == "," and depth == 1:
            count += 1
    return count + 1


def functions(lines):
    name = signature_from = start = None
    for number, line in enumerate(lines, 1):
        match = NAME.match(line)
        if match and not start:
            name, signature_from = match.group(1), number
        elif line == "{" and name:
            start = number
        elif line == "}" and start:
            yield name, signature_from, number - start - 1, "\n".join(lines[signature_from - 1 : start])
            name = start = None
        elif line and not line[0].isspace() and line[0] not in "{}#" and not start:
            name = None


def main(root):
    faults = []
    for room in ("src", "cuda", "tests", "bench", "shaders"):
        for path in sorted(pathlib.Path(root, room).rglob("*")):
            if path.suffix not in (".c", ".h", ".cu", ".cuh", ".py", ".frag", ".vert"):
                continue
            lines = path.read_text().splitlines()
            where = path.relative_to(root)
            if not any("SPDX-License-Identifier: GPL-3.0-or-later" in line for line in lines[:4]):
                faults.append(f"{where}:1: no licence line")
            if len(lines) > MAX_FILE:
                faults.append(f"{where}: {len(lines)} lines, at most {MAX_FILE}")
            if path.suffix not in (".c", ".cu"):
                continue
            for name, number, length, signature in functions(lines):
                if length > MAX_FUNCTION:
                    faults.append(f"{where}:{number}: {name} has {length} lines, at most {MAX_FUNCTION}")
                if parameters(signature) > MAX_PARAMETERS and room == "src" and not MANY_PARAMETERS.match(name):
                    faults.append(f"{where}:{number}: {name} has more than {MAX_PARAMETERS} parameters")
    print("\n".join(faults) or "sizes: clean")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
