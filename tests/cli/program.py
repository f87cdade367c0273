# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared helpers of the program tests: calls, small runs of every experiment, TAP. A test is a function whose docstring is its name."""

import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

LACUNA = os.path.abspath(sys.argv[1])
ROOT = pathlib.Path(tempfile.mkdtemp(prefix="lacuna-cli-"))
ENVIRONMENT = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
ENVIRONMENT.update(XDG_DATA_HOME=str(ROOT / "data"), XDG_CACHE_HOME=str(ROOT / "cache"), LC_ALL="C.UTF-8")

# Settings with which every experiment takes seconds, and additional ones for some.
SMALL = {
    "depth": "2", "width": "6", "points": "64", "condition_points": "16", "pool": "2", "adam_steps": "8", "quasi_steps": "6",
    "members": "32", "iterations": "3", "judge": "5", "pie_sweeps": "5",
}
OF_LABORATORY = {
    "quantum": {
        "width": "8", "pair_width": "2", "layers": "1", "determinants": "1", "walkers": "16", "moves": "2", "burn_in": "2", "pretraining": "4",
        "iterations": "10", "evaluation": "40", "evaluation_moves": "2", "picture": "16", "volume": "8",
    },
}
SHORT = {
    "obstacles": {"cells": "4", "viscosity": "10"},
    "smoke": {"grid": "16", "observations": "12", "family": "3"},
    "cylinder": {"reynolds": "50", "diameter": "8", "spin_up": "4"},
    "cavity": {"grid": "16"},
    "conductivity": {"grid": "16"},
    "burgers": {"depth": "2", "width": "8", "points": "128", "pool": "2", "refresh": "10", "adam_steps": "20", "quasi_steps": "10", "judge": "10"},
    "kolmogorov": {"grid": "16", "spin_up": "2", "snapshots": "40", "observations": "12", "members": "8", "start_members": "8", "lag": "3", "sensors": "6"},
}
PATIENCE = int(os.environ.get("LACUNA_TEST_PATIENCE", "1"))
SANITIZED = os.environ.get("LACUNA_TEST_SANITIZED") == "1"
NO_CACHE = ["--no-cache"]  # every run computes shared results itself


class Skip(Exception):
    pass


def once_is_enough(test):
    """Skips repetitions of the same code under sanitizers, which take minutes and find nothing more."""
    @functools.wraps(test)
    def patiently():
        if SANITIZED:
            raise Skip("the build without a sanitizer tells it")
        test()
    patiently.is_once = True
    return patiently


def lacuna(*words, status=0, env=None, cwd=ROOT, timeout=120):
    """Runs the program and returns its standard output and error. Status None: 1 is allowed too, for results that depend on the machine."""
    done = subprocess.run(
        [LACUNA, *map(str, words)], capture_output=True, text=True, cwd=cwd, timeout=timeout * PATIENCE, env={**ENVIRONMENT, **(env or {})}
    )
    assert done.returncode == status or status is None and done.returncode in (0, 1), f"{words}: exit status {done.returncode}, not {status}\n{done.stdout}{done.stderr}"
    return done.stdout, done.stderr


def refused(*words, says=(), status=2, **keywords):
    """Asserts one sentence on standard error that contains all of the words."""
    _, error = lacuna(*words, status=status, **keywords)
    lines = error.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("lacuna: "), f"{words}: not one sentence:\n{error}"
    for word in says:
        assert word in lines[0], f"{words}: {word!r} is not in {lines[0]!r}"
    return lines[0]


@functools.cache
def experiments():
    return {row["name"]: row for row in json.loads(lacuna("list", "--json")[0])}


def short(name):
    known = {row["key"] for row in experiments()[name]["parameters"]}
    settings = {**SMALL, **OF_LABORATORY.get(experiments()[name]["laboratory"], {}), **SHORT.get(name, {})}
    return [word for key, value in settings.items() if key in known for word in ("--set", f"{key}={value}")]


def of_each_laboratory():
    """Returns the first experiment of each laboratory; contract/experiments goes through all of them."""
    return {row["laboratory"]: name for name, row in reversed(experiments().items())}.values()


def run(name, *words, out="runs", **keywords):
    output, _ = lacuna("run", name, *short(name), "--out", out, "--json", "--quiet", *NO_CACHE, *words, **keywords)
    return json.loads(output.splitlines()[-1])


_finished = {}


def finished(name="kolmogorov"):
    """Returns a short run, made once."""
    if name not in _finished:
        _finished[name] = run(name, "--threads", 1)
    return _finished[name]


def path_of(result):
    return ROOT / result["run"]


# ---- running the tests ----


def main(functions):
    """Runs the tests among the functions, with --once only those that the build with a sanitizer skips. Returns: the exit status."""
    tests = [value for value in functions if callable(value) and (getattr(value, "__doc__", None) or "").startswith("/cli/")]
    if "--once" in sys.argv:
        tests = [test for test in tests if hasattr(test, "is_once")]
    print(f"1..{len(tests)}", flush=True)
    failed = 0
    for number, test in enumerate(tests, 1):
        try:
            test()
            print(f"ok {number} {test.__doc__}", flush=True)
        except Skip as why:
            print(f"ok {number} {test.__doc__} # SKIP {why}", flush=True)
        except Exception as wrong:  # a test must not end the others
            failed += 1
            print(f"not ok {number} {test.__doc__}", flush=True)
            for line in f"{type(wrong).__name__}: {wrong}".splitlines():
                print(f"# {line}", flush=True)
    shutil.rmtree(ROOT, ignore_errors=True)
    return 1 if failed else 0
