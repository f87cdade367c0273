#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A test under valgrind: under-valgrind.py TEST [ARGUMENT...]. Passes when the test does and no process of it read memory that was never
written or lies outside of a block. Files are read in processes of lacuna-reader, whose exit status the test does not see: each has a log of
its own. LACUNA_TEST_FEW_CUTS is set, for everything takes thirty times as long."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from needs import missing

NAME = "no-process-of-the-test-uses-memory-that-was-never-written"
MOST_LINES = 60  # of a log that are shown


def finish(faults):
    for line in faults:
        print(f"# {line}")
    print(f"{'not ok' if faults else 'ok'} 1 {NAME}")
    sys.exit(1 if faults else 0)


def main(command):
    print("1..1", flush=True)
    if missing("valgrind"):
        finish([missing("valgrind")])
    with tempfile.TemporaryDirectory(prefix="lacuna-valgrind-") as folder:
        done = subprocess.run(
            ["valgrind", "--error-exitcode=99", "--trace-children=yes", f"--log-file={folder}/%p.log", *command],
            env={**os.environ, "LACUNA_TEST_FEW_CUTS": "1"}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        logs = {path.name: path.read_text(errors="replace") for path in sorted(pathlib.Path(folder).glob("*.log"))}
    faults = []
    if done.returncode != 0:
        faults += [f"exit status {done.returncode}", *done.stdout.splitlines()[-MOST_LINES:]]
    if not logs:
        faults.append("valgrind wrote no log")
    for name, text in logs.items():
        if not re.search(r"ERROR SUMMARY: 0 errors", text):
            faults += [f"{name}:", *text.splitlines()[:MOST_LINES]]
    print(f"# {len(logs)} processes")
    finish(faults)


if __name__ == "__main__":
    main(sys.argv[1:])
