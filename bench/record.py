#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a benchmark and saves its output with the command, and with the processor where the output lacks it:
record.py FILE COMMAND..."""
import json
import os
import pathlib
import subprocess
import sys


def processor():
    facts = {}
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        key, _, value = line.partition(":")
        facts.setdefault(key.strip(), value.strip())
    vectors = "AVX-512" if "avx512f" in facts.get("flags", "") else "AVX2 or less"
    return f"{facts.get('model name')}, family {facts.get('cpu family')} model {facts.get('model')}, {vectors}"


def main(out, *command):
    rows = json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True).stdout)
    record = {"command": " ".join(os.path.basename(word) if word.startswith("/") else word for word in command)}
    if "machine" in rows:  # host name and kernel build are irrelevant elsewhere
        rows["machine"] = {key: value for key, value in rows["machine"].items() if key not in ("host", "system")}
    else:
        record |= {"processor": processor(), "threads_available": len(os.sched_getaffinity(0)), "load_average": round(os.getloadavg()[0], 1)}
    pathlib.Path(out).write_text(json.dumps({**record, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
