#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gla11y over ui/: every button says what it is, and nothing points at what is not there."""
import os
import pathlib
import shutil
import subprocess
import sys

# Labels that stand for nothing are how most of the window is laid out; the audit of the whole window asks for the rest.
TYPES = ["button-no-label", "undeclared-target", "duplicate-id"]


def main(root):
    if not shutil.which("gla11y"):
        print("gla11y is not installed")
        return 1 if os.environ.get("CI") else 77
    files = sorted(pathlib.Path(root, "ui").glob("*.ui"))
    words = [word for kind in TYPES for word in (f"--enable-type={kind}", f"--fatal-type={kind}")]
    done = subprocess.run(["gla11y", "--disable-all", *words, "-P", f"{root}/", *map(str, files)], capture_output=True, text=True)
    print(done.stdout + done.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
