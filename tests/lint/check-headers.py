#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that each header compiles on its own. A header that its own .c file includes first was checked by the build; the others are
compiled here. Plain C headers are also compiled as C++, because nvcc reads them."""
import pathlib
import re
import subprocess
import sys

PACKAGES = ["gtk4", "libadwaita-1", "epoxy", "json-glib-1.0", "hdf5", "cairo", "pangocairo", "gio-2.0", "glib-2.0"]
PLAIN = {"backend/backend.h", "backend/plane-layers.h", "backend/planes.h", "backend/waves.h", "tensor/type.h", "perf/recorder/record.h"}


def flags():
    have = [name for name in PACKAGES if not subprocess.run(["pkg-config", "--exists", name]).returncode]
    return subprocess.check_output(["pkg-config", "--cflags", *have], text=True).split()


def is_first_of_its_file(header, source):
    """Returns True when the build has compiled the header with nothing included before it."""
    own = (source / header).with_suffix(".c")
    first = own.exists() and re.search(r"^#include (.*)$", own.read_text(), re.M)
    return bool(first) and first[1] == f'"{header}"'


def main(root):
    source = pathlib.Path(root, "src")
    common = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I", str(source), "-"]
    faults = 0
    cflags = flags()
    for path in sorted(source.rglob("*.h")):
        header = str(path.relative_to(source))
        text = f'#include "{header}"\n'
        runs = []
        if not is_first_of_its_file(header, source):
            runs.append(["gcc", "-x", "c", "-std=c11", "-D_POSIX_C_SOURCE=200809L", *cflags, *common])
        if header in PLAIN:
            runs.append(["gcc", "-x", "c++", "-std=c++17", *common])
        for command in runs:
            done = subprocess.run(command, input=text, text=True, capture_output=True)
            if done.returncode:
                faults += 1
                print(f"{header} does not compile alone:\n{done.stderr}")
    print(f"headers: {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
