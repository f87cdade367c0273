#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every room includes only rooms to its left, every folder of a room only those before it, none another room's private headers, and
libraries only where they belong. A folder has at most 60 files."""
import collections
import pathlib
import re
import sys

# library header -> the only places that may include it
OWNERS = {
    r"gtk/|adwaita|gdk/|gsk/|epoxy/": ("app", "bench/bench-timeline"),
    r"cairo|pango/": ("report", "app"),
    r"hdf5|matio|png|jpeglib|jerror|tiff|fitsio|zip\.h": ("io",),
    r"cblas|lapack|fftw3|openblas": ("backend/cpu", "backend/dense"),
    r"cuda|cublas|cufft": (),
    r"libfyaml": ("run",),
}
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]')
MAX_FILES = 60
FLAT = {"app"}  # not divided yet


def child(folder, path, order):
    """The part of @folder that @path is in: a folder, a file that the order names, or "." for the other files."""
    name, _, rest = path[len(folder) + 1 :].partition("/")
    return name if rest or name in order else "."


def check_order(place, header, orders, complain):
    for folder, order in orders.items():
        if not place.startswith(folder + "/") or not header.startswith(folder + "/"):
            continue
        here, there = child(folder, place, order), child(folder, header, order)
        for part in (here, there):
            if part not in order:
                complain(f"{folder}/{part} is not in the order of {folder} in src/meson.build")
                return
        if here != there and order[there] >= order[here]:
            complain(f"{folder}/{here} may not include {header}: {there} does not come before {here} in src/meson.build")


def read_orders(rows):
    """"io: format < input trace" as {"io": {"format": 0, "input": 1, "trace": 1}}"""
    orders = {}
    for row in rows:
        folder, _, line = row.partition(": ")
        orders[folder] = {part: place for place, parts in enumerate(line.split(" < ")) for part in parts.split()}
    return orders


def check(path, place, allowed, orders, complain):
    room = place.split("/")[0]
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, header = match.groups()
        if quote == '"':
            other = header.split("/")[0]
            if "/" not in header:
                continue
            if other != room and other not in allowed[room]:
                complain(path, number, f"{room} may not include {header}")
            if other != room and header.endswith("-private.h"):
                complain(path, number, f"{header} is private to {other}")
            if other == room and (path.parents[place.count("/")] / header).exists():  # else the build makes it
                check_order(place, header, orders, lambda text: complain(path, number, text))
        else:
            for pattern, owners in OWNERS.items():
                if re.match(pattern, header) and not any(place.startswith(owner) for owner in owners):
                    complain(path, number, f"{place} may not include <{header}>")


def main(root, *rows):
    rows, orders = rows[: rows.index("--folders")], read_orders(rows[rows.index("--folders") + 1 :])
    allowed = {row.split(":")[0]: set(filter(None, row.split(":")[1].split(","))) for row in rows}
    faults = []

    def complain(path, number, text):
        faults.append(f"{path.relative_to(root)}:{number}: {text}")

    root = pathlib.Path(root)
    sizes = collections.Counter()
    paths = [(path, root / "src") for path in sorted((root / "src").rglob("*.[ch]"))]
    for path, source in paths + [(path, root) for path in sorted((root / "bench").rglob("*.[ch]"))]:
        place = str(path.relative_to(source))
        if place.split("/")[0] not in allowed:
            complain(path, 1, "this folder is no room of src/meson.build")
            continue
        sizes[path.parent] += place.split("/")[0] not in FLAT
        check(path, place, allowed, orders, complain)
    for folder, size in sizes.items():
        if size > MAX_FILES:
            complain(folder, 1, f"{size} files in one folder, at most {MAX_FILES}")
    print("\n".join(faults) or "layers: clean")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
