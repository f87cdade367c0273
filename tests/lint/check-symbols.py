#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that no symbol is defined in two rooms: with static libraries the linker would silently take the first one."""
import collections
import pathlib
import subprocess
import sys


def main(root, build):
    where = collections.defaultdict(set)
    for library in sorted(pathlib.Path(build, "src").rglob("liblac-*.a")):
        listing = subprocess.run(["nm", "-g", "--defined-only", library], capture_output=True, text=True).stdout
        for line in listing.splitlines():
            parts = line.split()
            if len(parts) == 3 and parts[1] in "TDBRC":
                where[parts[2]].add(library.stem)
    faults = {name: rooms for name, rooms in where.items() if len(rooms) > 1}
    for name, rooms in sorted(faults.items()):
        print(f"{name} is defined in {', '.join(sorted(rooms))}")
    if not where:
        print("no room library found; build first")
    return 1 if faults or not where else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
