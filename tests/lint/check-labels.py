#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks ui/ with gla11y: every button has a label, and no label or relation has a missing target."""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import needs  # noqa: E402

# Only these types: the layout has many labels without a target, and the accessibility audit of the whole window covers the rest.
TYPES = ["button-no-label", "undeclared-target", "duplicate-id"]


def main(root):
    if needs.missing("gla11y"):
        print(needs.missing("gla11y"))
        return 1
    files = sorted(pathlib.Path(root, "ui").rglob("*.ui"))
    words = [word for kind in TYPES for word in (f"--enable-type={kind}", f"--fatal-type={kind}")]
    done = subprocess.run(["gla11y", "--disable-all", *words, "-P", f"{root}/", *map(str, files)], capture_output=True, text=True)
    print(done.stdout + done.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
