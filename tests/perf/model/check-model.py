# SPDX-License-Identifier: GPL-3.0-or-later
# Runs Spin over every interleaving of a model: none may fail, and with each named planted fault one must.
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import needs  # noqa: E402


def output_of(command, folder):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def errors(model, fault):
    with tempfile.TemporaryDirectory() as folder:
        output_of(["spin", *([f"-D{fault}"] if fault else []), "-a", model], folder)
        output_of(["cc", "-O0", "-w", "-DSAFETY", "-o", "pan", "pan.c"], folder)
        result = output_of(["./pan", "-m100000"], folder)
    found = re.search(r"errors: (\d+)", result)
    if found is None or "max search depth too small" in result:
        sys.exit(f"the search of {model} is not complete:\n{result}")
    return int(found.group(1))


def main():
    model, faults = os.path.abspath(sys.argv[1]), sys.argv[2:]
    if needs.missing("spin", "cc"):
        print(needs.missing("spin", "cc"))
        return 1
    if errors(model, None):
        print(f"{model} can go wrong")
        return 1
    for fault in faults:
        if not errors(model, fault):
            print(f"{model}: the planted fault {fault} is not found")
            return 1
    return 0


sys.exit(main())
