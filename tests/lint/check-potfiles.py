#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that po/POTFILES lists exactly the files with translatable text."""
import pathlib
import re
import sys

MARKED = re.compile(r'\b(_|N_|ngettext|C_)\s*\(\s*"')
MARKED_UI = re.compile(r'translatable="yes"')


def main(root):
    root = pathlib.Path(root)
    found = {
        str(path.relative_to(root))
        for folder, pattern, marked in (("src", "*.[ch]", MARKED), ("ui", "*.ui", MARKED_UI))
        for path in (root / folder).rglob(pattern)
        if marked.search(path.read_text())
    }
    found |= {str(path.relative_to(root)) for ending in ("desktop", "metainfo.xml") for path in (root / "data").glob(f"*.{ending}.in")}
    listed = {line for line in (root / "po/POTFILES").read_text().splitlines() if line and not line.startswith("#")}
    for name in sorted(found - listed):
        print(f"{name} has translatable text and is not in po/POTFILES")
    for name in sorted(listed - found):
        print(f"po/POTFILES names {name}, which has no translatable text")
    return 1 if found != listed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
