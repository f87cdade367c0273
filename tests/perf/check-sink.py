#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records as received by external profilers: an NVTX listener gets every range in order, sysprof a mark for every span.
Arguments: nvtx|sysprof, whether it was built in, the program, the listener."""
import collections
import os
import pathlib
import subprocess
import sys
import tempfile

STEPS = 10


def nvtx(program, listener, folder):
    heard = folder / "heard"
    subprocess.run([program], check=True, env=dict(os.environ, NVTX_INJECTION64_PATH=listener, LACUNA_TEST_HEARD=str(heard)))
    lines = heard.read_text().splitlines()
    assert lines[0] == "domain Lacuna", lines[:3]
    assert lines[1:-1] == ["push step", "push forward", "pop", "pop"] * STEPS, lines
    assert lines[-1] == "mark pause 1", lines[-1]


def sysprof(program, listener):
    heard = subprocess.run([listener, program], check=True, capture_output=True, text=True, timeout=60).stdout.splitlines()
    marks = [line.split("|") for line in heard]
    assert all(group == "Lacuna" for group, *_ in marks), heard[:3]
    counts = collections.Counter(name for _, name, *_ in marks)
    assert counts == {"step": STEPS, "forward": STEPS, "µ-kernel": STEPS, "pause": 1}, counts
    for _, name, message, duration in marks:
        assert message.startswith("compute, step "), message
        assert {"step": 1000000, "forward": 1000000}.get(name, 0) <= int(duration), (name, duration)  # each slept a millisecond
    assert all(duration == "1000" for _, name, _, duration in marks if name == "µ-kernel")


def main(kind, is_built, program, listener=None):
    if is_built != "true":
        print(kind, "was not built in")
        sys.exit(77)
    subprocess.run([program], check=True)
    with tempfile.TemporaryDirectory() as name:
        if kind == "nvtx":
            nvtx(program, listener, pathlib.Path(name))
        else:
            sysprof(program, listener)


if __name__ == "__main__":
    main(*sys.argv[1:])
