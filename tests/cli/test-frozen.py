#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs made by commit 44fef68 open, resume and compare as they did then: test-frozen.py LACUNA. Prints TAP.

frozen/generate.py made the runs. With the compiler, build type, OpenBLAS, C library and FFTW plans of the fixtures, on a processor with AVX2
and FMA, resumed metrics equal the stored ones bit for bit. Otherwise a metric may differ by ROUNDING times its spread in expected.json, the
largest change seen with five other vector levels, kernels and plans, or times the precision of a float, whichever is larger. The factor
covers that five samples show a typical change, not the largest.
"""
import functools
import json
import math
import os
import pathlib
import shutil
import sys
import tarfile
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "frozen"))
sys.dont_write_bytecode = True
import generate  # noqa: E402

LACUNA = os.path.abspath(sys.argv[1])
ROOT = pathlib.Path(tempfile.mkdtemp(prefix="lacuna-frozen-"))
EXPECTED = json.loads((HERE / "frozen" / "expected.json").read_text())
ROUNDING = 10
REROUNDED = {("flow", "enkf"): 100}  # methods with other roundings at every observation since, of which the spread knows nothing
FLOAT = 2.0**-23
REORDERED = {"flow": "the ensemble update adds in blocks, velocities become vorticities in the precision of the run", "imaging": "all methods compute in the precision of the run",
             "quantum": "Gram matrix and determinants add in blocks"}  # since that commit
REDEFINED = {"placement_gain"}  # metrics with another definition since
NEEDED = {"avx2", "fma", "bmi2"}
TINY = ["walkers=8", "width=2", "pair_width=1", "layers=1", "determinants=1", "pretraining=0", "iterations=1", "evaluation=8", "volume=0"]


def lacuna(*words):
    return generate.lacuna(LACUNA, *words, cwd=ROOT)


def unpack(laboratory):
    folder = ROOT / laboratory
    if not folder.exists():
        with tarfile.open(HERE / "frozen" / f"{laboratory}.tar.xz") as archive:
            archive.extractall(folder)
    return folder


def opens(laboratory, expected):
    """opens-with-every-number-as-it-was-written"""
    folder = unpack(laboratory)
    for name in ("finished", "stopped"):
        wanted, path = expected[name], folder / name
        found = generate.describe(LACUNA, path, expected["channel"], ROOT)
        for key, value in wanted.items():
            assert found[key] == value, f"{name}: {key} is {found[key]}, not {value}"
        text = lacuna("info", path)
        assert text.startswith(f"run of {expected['experiment']}, {wanted['outcome']}") and f"{wanted['steps']} steps" in text, text[:200]
        for ending, head in (("pdf", b"%PDF"), ("txt", b""), ("html", b"<!DOCTYPE html>")):
            lacuna("report", path, "-o", f"report.{ending}")
            content = (ROOT / f"report.{ending}").read_bytes()
            assert content.startswith(head) and len(content) > 1000, f"{name}: report.{ending}"


@functools.cache
def facts_of_now():
    words = [word for setting in TINY for word in ("--set", setting)]
    result = json.loads(lacuna("run", "h", *words, "--out", "facts", "--json", "--quiet", "--no-cache").splitlines()[-1])
    lacuna("report", result["run"], "-o", "facts.json")
    return generate.build_facts(json.loads((ROOT / "facts.json").read_text())["runs"][0])


def changed_facts(expected):
    """Returns the differences from the build and machine of the fixtures that can change bits, apart from the plans."""
    now = facts_of_now()
    differences = [f"{key} is {now[key]}, was {then}" for key, then in expected["finished"]["facts"].items() if now[key] != then]
    if os.confstr("CS_GNU_LIBC_VERSION") != EXPECTED["C library"]:
        differences.append(f"C library is {os.confstr('CS_GNU_LIBC_VERSION')}, was {EXPECTED['C library']}")
    flags = set(pathlib.Path("/proc/cpuinfo").read_text().split()) if os.path.exists("/proc/cpuinfo") else set()
    return differences + [f"the processor has no {flag}" for flag in sorted(NEEDED - flags)]


def plans_of(folder):
    return {path.name: sorted(path.read_text().splitlines()) for path in folder.glob("wisdom-*")}


def factor_of(key, metrics, laboratory):
    """Returns ROUNDING, or that of the method to which a metric belongs: by its key, or for the result by its value."""
    for (where, method), factor in REROUNDED.items():
        if where == laboratory and (key.startswith(f"{method}.") or metrics.get(f"{method}.{key}") == metrics[key]):
            return factor
    return ROUNDING


def rounding_of(key, resumed, laboratory):
    """Returns by how much rounding may change a metric."""
    metrics = dict(generate.flat(resumed["metrics"]))
    size = max(abs(metrics[key]), 10 if laboratory == "imaging" else 0)  # roundings of a bright pixel, which iterations amplify
    rounding = max(resumed["spread"][key], FLOAT * size)
    error = key.replace("psnr_db", "rmse_percent")
    if error != key and metrics.get(error):  # decibels of a small error change more than the error itself
        rounding = max(rounding, 20 / math.log(10) * rounding_of(error, resumed, laboratory) / metrics[error])
    return rounding


def resumes(laboratory, expected):
    """goes-on-from-its-checkpoint-to-the-same-end"""
    stopped = unpack(laboratory) / "stopped"
    result = generate.resume(LACUNA, stopped, ROOT)
    path = ROOT / "copy.lacuna"
    assert result["outcome"] == "finished" and result["steps"] == expected["resumed"]["steps"], result
    differences = changed_facts(expected)
    if plans_of(path) != plans_of(stopped):
        differences.append("the FFTW plans differ")
    if os.environ.get("LACUNA_TEST_SANITIZED") == "1":
        differences.append("the code was compiled for a sanitizer")
    if laboratory in REORDERED:
        differences.append(REORDERED[laboratory])
    wanted, found = dict(generate.flat(expected["resumed"]["metrics"])), dict(generate.flat(result["metrics"]))
    assert found.keys() >= wanted.keys(), f"missing: {wanted.keys() - found.keys()}"
    print(f"# {laboratory}: {'; '.join(differences) or 'compared bit for bit'}")
    for key, value in wanted.items():
        if key in REDEFINED:
            continue
        allowed = factor_of(key, wanted, laboratory) * rounding_of(key, expected["resumed"], laboratory) if differences else 0
        assert abs(found[key] - value) <= allowed, f"{key} = {found[key]!r}, not {value!r} within {allowed}"
    shutil.rmtree(ROOT / f"{laboratory}-resumed", ignore_errors=True)
    path.rename(ROOT / f"{laboratory}-resumed")


def compares(laboratory, expected):
    """compares-with-itself-and-with-what-it-became"""
    folder, resumed = unpack(laboratory), ROOT / f"{laboratory}-resumed"
    assert resumed.exists(), "it did not resume"
    finished, values = folder / "finished", dict(generate.flat(expected["finished"]["metrics"]))
    for first, second in ((finished, finished), (finished, resumed), (folder / "stopped", finished)):
        whole = json.loads(lacuna("compare", first, second, "--json"))
        assert whole["settings"] == [] and len(whole["runs"]) == 2, whole["settings"]
        assert whole["metrics"] and {row["key"] for row in whole["metrics"]} <= values.keys()
        for row in whole["metrics"]:
            found = row["values"][1 if second == finished else 0]
            assert found == values[row["key"]], f"{row['key']} = {found!r}, not {values[row['key']]!r}"
        text = lacuna("compare", first, second)
        assert all(str(path) in text or path.name in text for path in (first, second)), text
    same = json.loads(lacuna("compare", finished, finished, "--json"))
    assert same["runs"][0] == same["runs"][1] and all(row["values"][0] == row["values"][1] for row in same["metrics"])


def main():
    tests = [(laboratory, test) for laboratory in EXPECTED["laboratories"] for test in (opens, resumes, compares)]
    print(f"1..{len(tests)}", flush=True)
    failed = 0
    for number, (laboratory, test) in enumerate(tests, 1):
        name = f"/cli/frozen/{laboratory}/{test.__doc__}"
        try:
            test(laboratory, EXPECTED["laboratories"][laboratory])
            print(f"ok {number} {name}", flush=True)
        except (Exception, SystemExit) as wrong:  # a test must not end the others
            failed += 1
            print(f"not ok {number} {name}", flush=True)
            for line in f"{type(wrong).__name__}: {wrong}".splitlines():
                print(f"# {line}", flush=True)
    shutil.rmtree(ROOT, ignore_errors=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
