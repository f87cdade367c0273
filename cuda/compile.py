#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compile.py FILE COMMAND...: runs nvcc and writes its assembler's report on each kernel (registers, spills) to FILE, separate from warnings and errors."""
import pathlib
import re
import subprocess
import sys

FIGURES = re.compile(r"ptxas info\b|\s+\d+ bytes stack frame|\s*$")


def main(kept, *command):
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, errors="replace")
    lines = done.stderr.splitlines(keepends=True)
    pathlib.Path(kept).write_text("".join(line for line in lines if FIGURES.match(line)), encoding="utf-8")
    sys.stderr.write("".join(line for line in lines if not FIGURES.match(line)))
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
