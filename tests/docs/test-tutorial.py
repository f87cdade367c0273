#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Types what a tutorial says: test-tutorial.py PAGE.md LACUNA. Each block of commands is a test; the files it names must come out."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PAGE, PROGRAM = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
BLOCK = re.compile(r"^## (?P<heading>.*?)$|^```sh\n(?P<commands>.*?)^```$", re.M | re.S)
WRITTEN = re.compile(r" -o (\S+)")


def blocks(text):
    heading = ""
    for match in BLOCK.finditer(text):
        if match["heading"]:
            heading = match["heading"]
        else:
            yield heading, match["commands"]


def main():
    found = list(blocks(PAGE.read_text()))
    print(f"1..{len(found)}")
    failed = not found
    with tempfile.TemporaryDirectory(prefix="lacuna-tutorial-") as folder:
        env = {**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "XDG_DATA_HOME": f"{folder}/data"}
        for number, (heading, commands) in enumerate(found, 1):
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=folder, env=env, capture_output=True, text=True)
            missing = [name for name in WRITTEN.findall(commands) if not pathlib.Path(folder, name).is_file()]
            good = done.returncode == 0 and not missing
            failed |= not good
            print(f"{'ok' if good else 'not ok'} {number} {PAGE.stem}: {heading}")
            if not good:
                print("# " + (done.stderr + f"exit status {done.returncode}, missing {missing}").replace("\n", "\n# "))
    return failed


if __name__ == "__main__":
    sys.exit(main())
