#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every room includes only rooms to its left, no other room's private headers, and libraries only where they belong."""
import pathlib
import re
import sys

# library header -> the only places that may include it
OWNERS = {
    r"gtk/|adwaita|gdk/|gsk/|epoxy/": ("app",),
    r"cairo|pango/": ("report", "app"),
    r"hdf5|matio|png|jpeglib|jerror|tiff": ("io",),
    r"cblas|lapack|fftw3|openblas": ("backend/cpu", "backend/dense"),
    r"cuda|cublas|cufft": (),
    r"libfyaml": ("run",),
}
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]')


def check(path, place, allowed, complain):
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
        else:
            for pattern, owners in OWNERS.items():
                if re.match(pattern, header) and not any(place.startswith(owner) for owner in owners):
                    complain(path, number, f"{place} may not include <{header}>")


def main(root, *rows):
    allowed = {row.split(":")[0]: set(filter(None, row.split(":")[1].split(","))) for row in rows}
    faults = []

    def complain(path, number, text):
        faults.append(f"{path.relative_to(root)}:{number}: {text}")

    source = pathlib.Path(root, "src")
    for path in sorted(source.rglob("*.[ch]")):
        place = str(path.relative_to(source))
        if place.split("/")[0] not in allowed:
            complain(path, 1, "this folder is no room of src/meson.build")
            continue
        check(path, place, allowed, complain)
    print("\n".join(faults) or "layers: clean")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
