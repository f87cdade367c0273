#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks for leftovers: TODO marks, disabled code, paths of a developer's machine, calls with a project-specific replacement."""
import pathlib
import re
import sys

FORBIDDEN = {
    r"\bTODO\b(?!\([a-z-]+, #\d+\))": "a TODO without a name and an issue",
    r"\b(FIXME|XXX|HACK)\b": "an unfinished mark",
    r"^\s*#\s*if\s+0\b": "disabled code",
    r"\bg_task_new\s*\((?!NULL)": "a task that would give its source up in whichever thread: lac_job_run() or LacLatestJob",
    r"/home/\w+|/work/|/root/": "a path of one machine",
}


def main(root):
    faults = []
    for folder in ("src", "cuda", "ui", "shaders", "tests", "bench", "data", "docs"):
        for path in sorted(pathlib.Path(root, folder).rglob("*")):
            if not path.is_file() or path.name == "check-words.py" or path.suffix in (".png", ".h5", ".mat", ".pyc"):
                continue
            for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
                for pattern, what in FORBIDDEN.items():
                    if re.search(pattern, line):
                        faults.append(f"{path.relative_to(root)}:{number}: {what}")
    print("\n".join(faults) or "words: clean")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
