#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The program from end to end: test-cli.py LACUNA."""

import csv
import io
import json
import math
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys

from program import (ENVIRONMENT, LACUNA, NO_CACHE, ROOT, SMALL, Skip, experiments, finished, lacuna, main, of_each_laboratory, once_is_enough, path_of, refused, run, short)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import needs  # noqa: E402


def list_names_every_parameter():
    """/cli/list/names-every-parameter-with-its-default"""
    text = lacuna("list")[0]
    for name, row in experiments().items():
        assert f"{name}" in text
        for parameter in row["parameters"]:
            assert f"{parameter['key']}={parameter['default']}" in text, parameter["key"]
            assert parameter["label"] in text
    assert sum(row["is_default"] for row in experiments().values()) == 1


def list_tells_one_experiment_in_full():
    """/cli/list/tells-one-experiment-in-full"""
    text = lacuna("list", "h2")[0]
    row = experiments()["h2"]
    assert text.startswith("h2 ") and row["summary"] in text and row["source"] in text
    assert all(parameter["help"] in text and parameter["group"] in text for parameter in row["parameters"])
    assert "kolmogorov" not in text
    assert json.loads(lacuna("list", "h2", "--json")[0]) == [row]
    refused("list", "h3", says=["h3"])
    refused("run", "heat1d", "--set", "zzzz=1", says=["zzzz", "the nearest of"])


def help_names_every_verb():
    """/cli/help/names-every-verb"""
    text = lacuna("--help")[0]
    for verb in "list run runs info compare report figure trace export export-sensors bench".split():
        assert f"lacuna {verb}" in text
    assert lacuna("--version")[0].startswith("Lacuna ")
    assert "--time-limit" in lacuna("run", "--help")[0]


def without_display_it_says_how():
    """/cli/window/without-a-display-it-says-how-to-run"""
    refused(status=1, says=["lacuna run"])


def report_says_what_the_memory_held():
    """/cli/report/says-what-the-memory-held-and-how-busy-the-machine-was"""
    words = ["run", "heat1d", "--set", "engines=pinn", "--set", "adam_steps=30", "--set", "quasi_steps=30", "--out", "memory", "--json", "--quiet", *NO_CACHE]
    source = path_of(json.loads(lacuna(*words)[0].splitlines()[-1]))
    lacuna("report", source, "--sections", "memory", "-o", "memory.json")
    held = json.loads((ROOT / "memory.json").read_text())["runs"][0]["memory"]
    n = 2 * 20 + 20 + 2 * (20 * 20 + 20) + 20 + 1 + 1  # two inputs, three layers of 20, one output; the diffusivity
    assert held["parameters_bytes"] % (8 * n) == 0 and held["parameters_bytes"] > 0, held
    assert held["optimiser_bytes"] > 8 * n * n, held  # a dense quasi-Newton matrix
    parts = sum(value for key, value in held.items() if key.endswith("_bytes") and "peak" not in key)
    assert 0 < parts < held["peak_resident_bytes"] <= held["projected_peak_bytes"], held
    lacuna("report", source, "--sections", "memory", "-o", "memory.txt")
    text = (ROOT / "memory.txt").read_text()
    assert "Optimiser state" in text and "Utilisation of the processors" in text, text


def emulated(**variables):
    """Returns the environment of a machine with the emulated device."""
    folder = pathlib.Path(LACUNA).parent / "tests" / "cuda"
    if not (folder / "liblac-cuda.so").exists():
        raise Skip("the emulated device was not built")
    return {"LACUNA_MODULE_DIR": str(folder), **{f"LACUNA_EMULATED_{key}": value for key, value in variables.items()}}


def devices_are_listed():
    """/cli/devices/lists-the-processor-and-every-card-and-says-why-one-cannot-be-used"""
    rows = json.loads(lacuna("devices", "--json")[0])["devices"]
    assert rows[0]["name"] == "cpu" and rows[0]["usable"] and rows[0]["why"] is None, rows
    assert rows[0]["cores"] >= 1 and rows[0]["threads"] >= 1 and 0 < rows[0]["memory_free_bytes"] <= rows[0]["memory_bytes"], rows
    assert all(row["usable"] == (row["why"] is None) for row in rows) and len(rows) >= 2, rows
    text = lacuna("devices")[0]
    assert text.startswith("cpu  ") and "Vector instructions  " in text and "\ncuda  " in text, text

    two = json.loads(lacuna("devices", "--json", env=emulated(DEVICES="2", CAPABILITY="90,86"))[0])["devices"][1:]
    assert [(row["name"], row["usable"], row["compute_capability"]) for row in two] == [("cuda", True, "9.0"), ("cuda:1", True, "8.6")], two
    assert two[1]["cuda_driver"] and two[1]["cuda_runtime"] and two[1]["cuda_toolkit"] and two[1]["built_for"] == "7.5 8.0 9.0", two
    old = lacuna("devices", env=emulated(CAPABILITY="60"))[0]
    assert "no code for emulated device, whose compute capability is 6.0" in old and "-Ddevice_capabilities=60" in old, old
    refused("run", "taylor-green", "--backend", "cuda:2", env=emulated(DEVICES="2"), status=None, says=["cuda:2", "this machine has 2 GPUs, numbered from 0"])
    refused("run", "taylor-green", "--backend", "cuda:x", says=["cuda:x", "lacuna devices"])


@once_is_enough
def devices_are_tested():
    """/cli/devices/a-test-names-the-operation-that-is-wrong-and-by-how-much"""
    out = lacuna("devices", "--test", "--json", status=1, env=emulated(LEFT_OUT="LacRankUpdate"))[0]
    rows = json.loads(out)["devices"]
    assert "test" not in rows[0], rows[0]
    test = rows[1]["test"]
    failed = [(check["name"], check["type"]) for check in test["checks"] if check["outcome"] == "failed"]
    assert not test["works"] and failed == [("rank-update", "f32"), ("rank-update", "f64")], failed
    assert all(check["worst"] > 1 and "instead of" in check["why"] for check in test["checks"] if check["outcome"] == "failed"), test
    assert test["passed"] == len(test["checks"]) - 2 and test["left_out"] == 0, test
    assert all(value > 0 for rates in (test["reached"], test["processor"]) for value in rates.values()), test
    text = lacuna("devices", "--test", status=1, env={"LACUNA_MODULE_DIR": str(ROOT)})[0]
    assert "Usable  no: The CUDA module is not installed" in text, text  # nothing to test is not a success


@once_is_enough
def gate_judges_against_a_baseline():
    """/cli/bench/the-gate-fails-at-half-the-baseline-and-passes-at-twice"""
    words = ["--only", "sensor_selection", "--threads", 1, "--rounds", 6]
    measured = json.loads(lacuna("bench", *words, "--json", status=None)[0])

    def gate(factor, *more, status=0, **machine):
        baseline = json.loads(json.dumps(measured))
        baseline["machine"].update(machine)
        for row in baseline["results"]:
            for key in ("samples", "relative"):
                row[key] = [factor * sample for sample in row.get(key, [])]
        (ROOT / "baseline.json").write_text(json.dumps(baseline))
        return lacuna("bench", "--gate", "baseline.json", *words[:2], "--rounds", 6, *more, status=status)

    easy = json.loads(gate(4, "--json")[0])
    assert easy["passed"] and all(row["judgement"] == "kept" for row in easy["results"])
    hard = json.loads(gate(0.25, "--json", status=1)[0])
    assert not hard["passed"] and hard["attempts"] > 1 and hard["before"] and hard["after"]
    assert all(row["judgement"] == "broken" for row in hard["results"] if row["kind"] != "quality"), hard
    gate(4, "--gate-any", identity="another one")
    gate(4, status=2, identity="another one")
    refused("bench", "--gate", "baseline.json", says=["baseline.json", "another one", "--gate-any"])
    refused("bench", "--gate", "missing.json", says=["missing.json"])
    refused("bench", "--gate", "baseline.json", "--gate-any", "--threads", 2, says=["--threads", "1"])


# ---- a run ----


def runs_are_printed():
    """/cli/run/a-run-of-each-laboratory-finishes-and-prints-its-object"""
    for name in of_each_laboratory():
        row, result = experiments()[name], finished(name)
        assert result["experiment"] == name and result["outcome"] == "finished", result
        for key, kind in dict(steps=int, seconds=float, setup_seconds=float, seed=int, backend=str, precision=str, threads=int).items():
            assert isinstance(result[key], kind) or kind is float and isinstance(result[key], int), key
        for key in row["metrics"]:
            value = result["metrics"]
            for part in key.split("."):
                value = value[part]
            assert math.isfinite(value), key
        assert path_of(result).suffix == ".lacuna" and (path_of(result) / "run.h5").is_file()


@once_is_enough
def threads_do_not_change_metrics():
    """/cli/run/one-and-two-threads-give-equal-metrics"""
    for name in of_each_laboratory():
        assert run(name, "--threads", 2)["metrics"] == finished(name)["metrics"], name


@once_is_enough
def strict_gives_the_same():
    """/cli/run/the-strict-backend-gives-equal-metrics"""
    for name in of_each_laboratory():
        result = run(name, "--threads", 1, "--backend", "strict")
        assert result["backend"] == "strict"
        assert result["metrics"] == finished(name)["metrics"], name


def the_cache_changes_nothing():
    """/cli/run/with-a-cache-and-a-damaged-one-the-same-metrics"""
    folder = ROOT / "cache" / "lacuna" / "content"
    words = ["run", "kolmogorov", *short("kolmogorov"), "--out", "cached", "--json", "--quiet"]
    wanted = finished()["metrics"]
    assert not folder.exists(), "--no-cache leaves nothing"
    for _ in range(2):
        assert json.loads(lacuna(*words)[0].splitlines()[-1])["metrics"] == wanted
    kept = sorted(folder.iterdir())
    assert len(kept) >= 2
    other = json.loads(lacuna(*[word if word != "cached" else "elsewhere" for word in words if word != "--quiet"])[0].splitlines()[-1])
    assert sorted(folder.iterdir()) == kept, "the command line is no part of a key"
    lacuna("report", path_of(other), "-o", "cached.json")
    assert json.loads((ROOT / "cached.json").read_text())["runs"][0]["cache_hit_rate"] == 1
    for path in kept:
        path.write_bytes(path.read_bytes()[:-3] + b"xyz")
    assert json.loads(lacuna(*words)[0].splitlines()[-1])["metrics"] == wanted
    assert sorted(folder.iterdir()) == kept


def a_sweep_leaves_a_table_and_a_chart():
    """/cli/run/a-sweep-of-sensors-leaves-a-table-and-a-chart-with-the-random-band"""
    result = run("kolmogorov", "--set", "engines=pod,enkf", "--sweep", "sensors=6,3", out="swept")
    stem = ROOT / result["sweep_files"]
    head, *rows = (line.split(",") for line in stem.with_suffix(".csv").read_text().splitlines())
    table = [dict(zip(head, row)) for row in rows]
    assert [row["sensors"].strip('"') for row in table] == ["6", "3"]
    key = "fluctuation_relative_l2"
    for row, one in zip(table, result["sweep"]):
        assert row["outcome"] == "finished" and row["random_draws"] == "30"
        assert 0 < float(row["random_p10"]) < float(row["random_median"]) < float(row["random_p90"])
        for engine in ("pod", "enkf"):
            assert float(row[f"{engine}.{key}"]) == one["metrics"][engine][key]
    for ending, begin in ((".png", b"\x89PNG"), (".pdf", b"%PDF"), (".svg", b"<?xml")):
        assert stem.with_suffix(ending).read_bytes().startswith(begin), ending
    assert len(list((ROOT / "swept").glob("*.lacuna"))) == 2  # the random draws leave no run folders


def flat(metrics, prefix=""):
    """Flattens nested metrics to full keys."""
    for key, value in metrics.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def seeds_are_summed_up():
    """/cli/run/seeds-give-median-and-worst"""
    result = run("kolmogorov", "--seeds", 3, "--threads", 1)
    assert [one["seed"] for one in result["seeds"]] == [0, 1, 2]
    for key, median in flat(result["metrics"]):
        values = sorted(dict(flat(one["metrics"]))[key] for one in result["seeds"])
        assert median == values[1] and dict(flat(result["worst"]))[key] == values[-1], key
    assert result["seeds"][0]["metrics"] == finished()["metrics"]


def devices_share_the_runs():
    """/cli/run/runs-on-several-devices-at-a-time-are-those-of-one"""
    apart = run("heat1d", "--seeds", 2, "--sweep", "sensors=4,5", "--devices", "cpu,cpu,cpu")
    in_turn = run("heat1d", "--seeds", 2, "--sweep", "sensors=4,5", "--threads", 1)
    assert [one["set"] for one in apart["sweep"]] == ["sensors = 4", "sensors = 5"]
    for one, other in zip(apart["sweep"], in_turn["sweep"]):
        assert [seed["seed"] for seed in one["seeds"]] == [0, 1]
        assert one["metrics"] == other["metrics"] and one["worst"] == other["worst"], (one, other)
    assert (ROOT / (apart["sweep_files"] + ".csv")).exists(), apart
    _, error = lacuna("run", "heat1d", *short("heat1d"), "--out", "runs", "--seed", 5, "--seeds", 2, "--devices", "cpu,cpu")
    assert all(f"seed {k}, on cpu: finished" in error for k in (5, 6)) and "(2 of 2)" in error, error
    refused("run", "heat1d", "--seeds", 2, "--devices", "cpu,frog", says=["frog", "cpu,cpu"])
    refused("run", "heat1d", "--devices", "cpu", says=["--seeds", "--backend"])
    refused("run", "heat1d", "--seeds", 2, "--devices", "cpu", "--backend", "cpu", says=["--devices excludes --backend"])
    refused("run", "heat1d", "--seeds", 2, "--devices", "cpu,cpu", "--out", "/proc/none", says=["/proc"], status=1)


def a_signal_stops_all_runs():
    """/cli/run/a-signal-stops-the-runs-on-all-devices-with-a-checkpoint"""
    words = [LACUNA, "run", "kolmogorov", "--seeds", "3", "--devices", "cpu,cpu", "--threads", "2", "--out", "signalled", "--json", "--announce", *NO_CACHE]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=ENVIRONMENT)
    announced = [process.stdout.readline().strip() for _ in range(2)]
    process.send_signal(signal.SIGINT)
    output, error = process.communicate(timeout=60)
    assert process.returncode == 130, (process.returncode, output, error)
    result = json.loads(output.splitlines()[-1])
    assert [one["outcome"] for one in result["seeds"]] == ["stopped", "stopped"] and result["outcome"] == "stopped", result
    assert sorted(one["run"] for one in result["seeds"]) == sorted(announced), (result, announced)
    assert all(f"--resume {run}" in error for run in announced), error


@once_is_enough
def two_gpus_share_the_runs():
    """/cli/run/runs-of-seeds-share-two-gpus"""
    two = {"LACUNA_MODULE_DIR": losing_device("unused")["LACUNA_MODULE_DIR"], "LACUNA_EMULATED_DEVICES": "2"}
    words = "run", *ON_DEVICE[:-2], *short("taylor-green"), "--set", "adam_steps=60", "--out", "shared", "--seeds", 2
    result = json.loads(lacuna(*words, "--json", "--quiet", "--devices", "all", env=two)[0])
    alone = json.loads(lacuna(*words, "--json", "--quiet", "--backend", "cuda", env=two)[0])
    assert sorted(one["backend"] for one in result["seeds"]) == ["cuda", "cuda:1"], result
    assert result["metrics"] == alone["metrics"], (result, alone)
    error = lacuna(*words, "--devices", "0,2", env=two, status=1)[1]
    assert "GPU 2 does not exist" in error and "has 2 that can" in error, error


def losing_device(name):
    """Makes the first process that reaches this many submissions lose the emulated device."""
    module = pathlib.Path(os.environ["LACUNA_BUILD_ROOT"], "tests", "cuda")
    if not (module / "liblac-cuda.so").exists():
        raise Skip("there is no C++ compiler: the emulated device was not built")
    once = ROOT / name
    once.touch()
    return {"LACUNA_MODULE_DIR": str(module), "LACUNA_EMULATED_LOST_AFTER": "400", "LACUNA_EMULATED_LOST_ONCE": str(once)}


def device_without_work_is_accepted():
    """/cli/run/a-device-that-no-method-uses-is-accepted-and-the-run-says-so"""
    words = "run", "lorenz96", "--set", "observations=20", "--set", "spin_up=2", "--set", "engines=enkf", "--backend", "cuda", "--no-cache", "--json"
    one = json.loads(lacuna(*words, env=emulated())[0])
    assert one["outcome"] == "finished" and one["backend"] == "cpu", one
    assert one["fallback"] == "enkf: always runs on the processor", one


ON_DEVICE = ("taylor-green", "--set", "grid=12", "--set", "times=6", "--set", "family=4", "--set", "engines=pinn", "--set", "adam_steps=60", "--threads", 1, "--backend", "cuda")


@once_is_enough
def a_lost_device_costs_one_run_of_a_sweep():
    """/cli/run/a-sweep-goes-on-in-processes-of-their-own-when-the-device-is-lost"""
    words = ["run", *ON_DEVICE, *short("taylor-green"), "--set", "adam_steps=60", "--out", "lost", "--sweep", "sensors=3,4,5"]
    output, error = lacuna(*words, "--json", "--announce", env=losing_device("sweep-lost"))
    first, *others = json.loads(output.splitlines()[-1])["sweep"]
    assert first["backend"] == "cpu" and "cudaErrorLaunchFailure" in first["fallback"], first
    assert error.count("The device failed") == 1 and error.count("can no longer use the GPU") == 1, error
    alone = json.loads(lacuna(*words[:-1], "sensors=4,5", "--json", env={"LACUNA_MODULE_DIR": losing_device("unused")["LACUNA_MODULE_DIR"]})[0])["sweep"]
    for one, other in zip(others, alone):
        assert one["backend"] == "cuda" and one["outcome"] == "finished" and "fallback" not in one, one
        assert one["metrics"] == other["metrics"] and one["set"] == other["set"] and one["seed"] == other["seed"], (one, other)
    assert [str(path_of(one)) for one in (first, *others)] == [str(ROOT / line) for line in output.splitlines()[:3]], output


@once_is_enough
def a_lost_device_costs_one_seed():
    """/cli/run/seeds-go-on-in-processes-of-their-own-when-the-device-is-lost"""
    output, error = lacuna("run", *ON_DEVICE, *short("taylor-green"), "--set", "adam_steps=60", "--out", "lost", "--seeds", 3, env=losing_device("seeds-lost"))
    assert "finished, 3 seeds" in output and error.count("can no longer use the GPU") == 1, output + error
    result = json.loads(lacuna("run", *ON_DEVICE, *short("taylor-green"), "--set", "adam_steps=60", "--out", "lost", "--seeds", 3, "--json", "--quiet",
                               env=losing_device("seeds-lost"))[0])
    assert [one["backend"] for one in result["seeds"]] == ["cpu", "cuda", "cuda"]
    assert [one["seed"] for one in result["seeds"]] == [0, 1, 2]
    for key, median in flat(result["metrics"]):
        assert median == sorted(dict(flat(one["metrics"]))[key] for one in result["seeds"])[1], key


def sweep_runs_every_combination():
    """/cli/run/sweep-runs-every-combination"""
    result = run("kolmogorov", "--sweep", "sensors=3,5")
    assert [one["set"] for one in result["sweep"]] == ["sensors = 3", "sensors = 5"]


# ---- bad input ----


def bad_words_are_refused():
    """/cli/bad-input/words-that-are-not-understood-are-refused-in-one-sentence"""
    refused("nonsense", says=["nonsense"])
    refused("run", says=["lacuna list"])
    refused("run", "nonsense", says=["nonsense", "kolmogorov"])
    refused("run", "kolmogorov", "--nonsense", says=["--nonsense"])
    refused("run", "kolmogorov", "--set", "nonsense=1", says=["nonsense", "sensors"])
    refused("run", "kolmogorov", "--set", "sensors", says=["KEY=VALUE"])
    refused("run", "kolmogorov", "--set", "sensors=-4", says=["sensors", "-4"])
    refused("run", "kolmogorov", "--set", "sensors=1000000", says=["sensors", "1000000"])
    refused("run", "kolmogorov", "--set", "sensors=many", says=["sensors", "many"])
    refused("run", "kolmogorov", "--threads", "-1", says=["--threads", "-1"])
    refused("run", "kolmogorov", "--seed", "1.5", says=["--seed", "1.5"])
    # every launch key of a plan is an option, and the limit on threads is the same everywhere
    (ROOT / "unknown.yaml").write_text("experiment: kolmogorov\ncolour: red\n")
    launch = lacuna("run", "unknown.yaml", status=2)[1].split("settings, ")[1].split()
    options = lacuna("run", "--help")[0]
    assert len(launch) >= 7 and all(f"  --{key.strip(',').replace('_', '-')}=" in options for key in launch), launch
    (ROOT / "threads.yaml").write_text("experiment: kolmogorov\nthreads: 4097\n")
    for words in (["run", "threads.yaml"], ["run", "kolmogorov", "--threads", 4097], ["bench", "--threads", 4097]):
        refused(*words, says=["threads = 4097", "from 1 to 4096"])
    refused("run", "kolmogorov", "--time-limit", "soon", says=["--time-limit", "soon"])
    refused("run", "kolmogorov", "--backend", "abacus", says=["abacus", "strict"])
    refused("run", "kolmogorov", "--precision", "f16", says=["f16", "f32"])
    refused("run", "missing.yaml", says=["missing.yaml"])
    refused("run", "--resume", "missing.lacuna", says=["missing.lacuna"])


def plans_and_presets_are_kept():
    """/cli/plans/written-with-their-comments-and-kept-under-names"""
    plan = ROOT / "plan.yaml"
    plan.write_text("# of May\nexperiment: kolmogorov\nsettings:\n  sensors: 12  # holes\n  grid: 32\n")
    lacuna("run", plan, "--set", "sensors=9", "--write", plan)
    assert plan.read_text() == "# of May\nexperiment: kolmogorov\nsettings:\n  sensors: 9  # holes\n  grid: 32\n"
    own = {"XDG_DATA_HOME": str(ROOT / "own"), **ENVIRONMENT}
    lacuna("run", plan, "--save-preset", "of May", env=own)
    lacuna("run", "kolmogorov", "--preset", "of May", "--seed", "4", "--write", "again.yaml", env=own)
    assert "sensors: 9  # holes" in (ROOT / "again.yaml").read_text() and "seed: 4" in (ROOT / "again.yaml").read_text()
    listed = json.loads(lacuna("presets", "kolmogorov", "--json", env=own)[0])
    assert [row["name"] for row in listed if row["is_own"]] == ["of May"] and any(not row["is_own"] for row in listed), listed
    lacuna("presets", "kolmogorov", "--delete", "of May", env=own)
    refused("run", "kolmogorov", "--preset", "of May", says=["of May", "Quick look"], env=own)


def presets_of_the_program_can_be_run():
    """/cli/plans/presets-of-the-program-are-taken-and-checked"""
    shipped = [row for row in json.loads(lacuna("presets", "--json")[0]) if not row["is_own"]]
    assert shipped
    for row in shipped:
        lacuna("run", row["experiment"], "--preset", row["name"], "--write", "shipped.yaml")


def a_refusal_has_an_object():
    """/cli/bad-input/with-json-a-refused-run-prints-its-error"""
    output, _ = lacuna("run", "kolmogorov", "--set", "sensors=-4", "--json", status=2)
    result = json.loads(output.splitlines()[-1])
    assert result["outcome"] == "failed" and "sensors" in result["error"]


def bad_truth_files_are_refused():
    """/cli/bad-input/truth-files-that-cannot-be-used-are-refused"""
    (ROOT / "empty.mat").write_bytes(b"")
    (ROOT / "words.h5").write_text("these are words, not numbers\n" * 40)
    (ROOT / "shape.npy").write_bytes(b"\x93NUMPY\x01\x00v\x00" + b"{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }".ljust(117) + b"\n" + bytes(24))
    whole = path_of(finished()) / "run.h5"
    (ROOT / "cut.h5").write_bytes(whole.read_bytes()[:700])
    takes = [(name, row["key"]) for name, whole in experiments().items() for row in whole["parameters"] if row["kind"] == "file" and (whole["laboratory"] != "imaging" or name == "picture")]
    if not takes:
        raise Skip("no experiment takes a file")
    for experiment, key in takes:
        for name in ("missing.mat", "empty.mat", "words.h5", "shape.npy", "cut.h5"):
            refused("run", experiment, "--set", f"{key}={name}", "--out", "refused", says=[name])
    assert not (ROOT / "refused").exists() or not list((ROOT / "refused").iterdir()), "a refused run left a folder"


def mat(variables):
    """Returns a MAT 5 file of uncompressed doubles: name, rows, columns and values in column-major order."""
    def element(kind, data):
        return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)
    parts = [b"MATLAB 5.0 MAT-file".ljust(124) + b"\0\1IM"]
    for name, rows, columns, numbers in variables:
        parts.append(element(14, element(6, struct.pack("<II", 6, 0)) + element(5, struct.pack("<ii", rows, columns))
                             + element(1, name.encode()) + element(9, struct.pack(f"<{rows * columns}d", *numbers))))
    return b"".join(parts)


def cut_truth_files_are_refused():
    """/cli/bad-input/a-truth-file-that-is-cut-short-is-refused-with-its-size"""
    x, t = [-1 + i / 32 for i in range(65)], [i / 50 for i in range(51)]
    whole = mat([("x", 65, 1, x), ("t", 51, 1, t), ("usol", 65, 51, [-math.sin(math.pi * a) * (1 - b) for b in t for a in x])])
    (ROOT / "whole.mat").write_bytes(whole)
    described, _ = lacuna("info", "whole.mat")
    assert "field: usol over x, t" in described, described
    for n in (len(whole) - 1, len(whole) // 2, 300):
        (ROOT / "cut.mat").write_bytes(whole[:n])
        for words in (("info", "cut.mat"), ("run", "burgers", "--set", "truth=cut.mat", "--out", "refused")):
            refused(*words, says=["cut.mat", "truncated", str(n), "copy it again"])


def bad_files_are_refused():
    """/cli/bad-input/files-that-are-no-runs-are-refused"""
    (ROOT / "text.json").write_text("[]")
    for words in (["info", "missing"], ["info", "text.json"], ["info", ROOT], ["report", ROOT, "-o", "x.pdf"], ["compare", ROOT, ROOT]):
        refused(*words)
    source = path_of(finished())
    refused("report", source, says=["-o"])
    refused("report", source, "-o", "x.doc", says=["x.doc", ".pdf"])
    refused("report", source, "-o", "x.pdf", "--sections", "answer,answers", says=["answers", "all-settings"])
    refused("figure", source, "-o", "x.gif", says=["x.gif", ".svg"])
    refused("figure", source, "--channel", "nonsense", "-o", "x.pdf", says=["nonsense"])
    refused("trace", source, "-o", "x.xml", says=[".pftrace"])
    refused("export", source, "-o", "x.cube", says=["has no volume"])
    refused("export", source, "--cut-out", "-o", "x.csv", says=["x.csv", ".h5"])
    refused("export", source, "--all-times", "-o", "x.npy", says=["x.npy", ".h5"])
    refused("export", source, "--all-times", "--channel", "nonsense", "-o", "x.h5", says=["nonsense", "vorticity.enkf"])
    refused("export", source, "--all-times", "--channel", "reliability_diagram", "-o", "x.h5", says=["is a chart"])
    assert not (ROOT / "x.h5").exists() and not (ROOT / "x.h5.tmp").exists()
    refused("export", path_of(finished("burgers")), "--all-times", "-o", "x.h5", says=["burgers", "no times beyond"])
    refused("export-sensors", source, says=["-o FILE.csv"])
    refused("export-sensors", source, "-o", "x.txt", says=["x.txt", ".csv", ".h5"])
    refused("export-sensors", source, "-o", "x.h5", says=["has no exposures"])
    refused("export-sensors", ROOT, "-o", "x.csv")
    refused("export-sensors", path_of(finished("burgers")), "-o", "x.csv", says=["no sensor measurements"])
    refused("compare", source, says=["RUN RUN"])
    refused("bench", "--scale", "huge", says=["huge", "medium"])
    refused("bench", "--only", "nonsense", says=["nonsense", "sensor_selection"])
    refused("bench", "--threads", "0", says=["threads"])


# ---- output for other programs ----


def info_tells_the_run():
    """/cli/info/tells-what-a-run-holds"""
    text = lacuna("info", path_of(finished()))[0]
    command = next(line for line in text.splitlines() if line.startswith("  command = "))
    assert " run kolmogorov " in command and "--threads 1" in command, command
    assert "kolmogorov" in text and "finished" in text and "sensors" in text
    assert lacuna("info", path_of(finished()) / "run.h5")[0] == text
    shutil.copy(path_of(finished()) / "run.h5", ROOT / "alone.h5")
    assert lacuna("info", "alone.h5")[0] == text
    assert "measurements" in lacuna("info", path_of(finished()) / "sensors.csv")[0]


def runs_lists_tags_and_deletes():
    """/cli/runs/lists-searches-tags-deletes-and-brings-back"""
    source = path_of(run("heat1d", out="library"))
    def listed(*words):
        return [pathlib.Path(row["run"]).name for row in json.loads(lacuna("runs", "--out", source.parent, "--json", *words)[0])]
    assert source.name in listed() and listed("experiment=heat1d", "outcome=finished") == [source.name]
    assert listed("no-such-word") == [] and source.name not in listed("seconds>1e6")
    assert source.name in lacuna("runs", "--out", source.parent, "--sort", "metric")[0]
    lacuna("runs", "--tag", "paper,good", "--note", "the one for figure 2", source)
    lacuna("runs", "--baseline", source)
    row, = json.loads(lacuna("runs", "--out", source.parent, "--json", "tag=paper")[0])
    assert row["tags"] == ["good", "paper"] and row["note"] == "the one for figure 2" and row["baseline"] is True
    refused("runs", "seconds<", says=["seconds<"])
    refused("runs", "--sort", "beauty", says=["beauty", "metric"])
    grouped, = (group for group in json.loads(lacuna("runs", "--out", source.parent, "--json", "--group", "tag")[0]) if group["group"] == "good")
    assert [pathlib.Path(row["run"]).name for row in grouped["runs"]] == [source.name]
    assert lacuna("runs", "--out", source.parent, "--group", "sensors", "heat1d")[0].splitlines()[0].endswith("(1)")
    refused("runs", "--out", source.parent, "--group", "beauty", says=["beauty", "outcome", "setting"])
    refused("runs", "--delete", says=["folder"])
    aside = lacuna("runs", "--delete", source)[0].split()[5]
    assert listed("experiment=heat1d") == [] and not source.exists()
    lacuna("runs", "--restore", aside)
    assert listed("experiment=heat1d") == [source.name]


def again_says_whether_the_bits_are_the_same():
    """/cli/run/again-does-a-run-exactly-and-says-so"""
    again = json.loads(lacuna("run", "--again", path_of(finished()), "--out", "runs", "--json", "--quiet", *NO_CACHE)[0].splitlines()[-1])
    assert again["same"] is True and "Bitwise identical" in again["sameness"] and again["run"] != finished()["run"]
    assert again["metrics"] == finished()["metrics"]
    refused("run", "--again", path_of(finished()), "--set", "sensors=3", says=["--again", "--set"])


def an_equation_is_kept_with_its_run():
    """/cli/run/an-equation-of-the-user-is-kept-with-its-run"""
    own = "equation: {name: own-rod, domain: {t: [0, 1], x: [0, 1]}, fields: [u], coefficients: {a: 0.2}, residuals: [u_t = a*u_xx], conditions: [%s], exact: {u: sin(pi*x)*exp(-a*pi^2*t)}}\n"
    (ROOT / "own.yaml").write_text(own % "{at: {t: 0}, u: sin(pi*x)}")
    words = [word for key in ("points", "width", "depth", "adam_steps", "quasi_steps", "judge") for word in ("--set", f"{key}={SMALL[key]}")]
    result = json.loads(lacuna("run", "own.yaml", *words, "--seed", 2, "--out", "own", "--json", "--quiet", *NO_CACHE)[0].splitlines()[-1])
    (ROOT / "own.yaml").unlink()
    again = json.loads(lacuna("run", "--again", path_of(result), "--out", "own", "--json", "--quiet", *NO_CACHE)[0].splitlines()[-1])
    assert again["experiment"] == "own-rod" and again["metrics"] == result["metrics"], again
    lacuna("run", path_of(again) / "equation.yaml", *words, "--out", "own", "--quiet", *NO_CACHE)
    refused("export", path_of(result), "--all-times", "-o", "own.h5", says=["own-rod has no times beyond those that a frame shows"])
    (ROOT / "other.yaml").write_text(own % "{at: {x: 0}, u: 0}")
    refused("run", "other.yaml", "--resume", path_of(result), says=["the equation of other.yaml is not the one", "leave out the file"])


def compare_shows_the_difference():
    """/cli/compare/shows-what-differs"""
    other = path_of(run("kolmogorov", "--set", "sensors=4"))
    whole = json.loads(lacuna("compare", path_of(finished()), other, "--json")[0])
    assert [row["key"] for row in whole["settings"]] == ["sensors"]
    assert len(whole["runs"]) == 2 and whole["runs"][0]["speed_up"] == 1
    text = lacuna("compare", path_of(finished()), other)[0]
    assert "speed-up" in text
    for optimum in whole["optima"]:
        assert optimum["of"] in ("step", "sample", "error") and optimum["ratio_of_next"] >= 1
        assert optimum["text"].startswith("Tie" if optimum["tie"] else "Fastest") and optimum["text"] in text


def reports_are_written():
    """/cli/report/writes-pdf-html-text-and-json"""
    for name in ("kolmogorov", "burgers", "usaf", "h2"):
        source = path_of(finished(name))
        for ending in ("pdf", "html", "txt", "json"):
            lacuna("report", source, "-o", f"{name}.{ending}")
        assert (ROOT / f"{name}.pdf").read_bytes().startswith(b"%PDF")
        assert (ROOT / f"{name}.html").read_text().startswith("<!DOCTYPE html>")
        assert json.loads((ROOT / f"{name}.json").read_text())["runs"][0]["metrics"] == finished(name)["metrics"]
        assert finished(name)["outcome"] in (ROOT / f"{name}.txt").read_text()
        lacuna("report", source, "-o", f"{name}-short.txt", "--sections", "machine,answer")
        short = (ROOT / f"{name}-short.txt").read_text()
        assert 0 <= short.find("Machine and versions") < short.find(" · ") and "Where the time went" not in short


@once_is_enough
def a_faulty_sensor_is_left_out_and_named():
    """/cli/run/a-faulty-sensor-is-left-out-and-named"""
    words = ["run", "kolmogorov", "--set", "engines=enkf", "--set", "grid=32", "--set", "observations=100", "--set", "sensors=8", "--set", "snapshots=250", "--json", "--quiet", *NO_CACHE, "--out", "faulty"]
    clean = json.loads(lacuna(*words)[0].splitlines()[-1])
    assert clean["metrics"]["enkf"]["left_out_percent"] < 1, clean["metrics"]
    lacuna("export-sensors", path_of(clean), "-o", "clean.csv")
    rows = list(csv.DictReader((ROOT / "clean.csv").read_text().splitlines()))
    places = list(dict.fromkeys((row["x"], row["y"]) for row in rows))
    values = [float(row["value"]) for row in rows]
    size = math.sqrt(sum(value * value for value in values) / len(values))
    with (ROOT / "faulty.csv").open("w", newline="") as file:
        out = csv.DictWriter(file, rows[0].keys())
        out.writeheader()
        for row in rows:  # a bias of the size of the signal
            out.writerow({**row, "value": float(row["value"]) + size} if (row["x"], row["y"]) == places[2] else row)
    faulty = json.loads(lacuna(*words, "--set", "measurements=faulty.csv", "--set", "judge_by=truth")[0].splitlines()[-1])
    found = faulty["metrics"]["enkf"]
    assert found["suspect_sensor"] == 3 and found["suspect_left_out_percent"] > 50, found
    assert found["relative_l2"] < 0.03, found  # without the check 0.5
    lacuna("report", path_of(faulty), "-o", "faulty.txt")
    assert "of sensor 3, which seems faulty" in (ROOT / "faulty.txt").read_text()


def figures_are_written():
    """/cli/figure/writes-pdf-svg-and-png-and-draws-them-again"""
    source = path_of(finished())
    for ending, head in (("pdf", b"%PDF"), ("svg", b"<?xml"), ("png", b"\x89PNG"), ("eps", b"%!PS")):
        lacuna("figure", source, "-o", f"figure.{ending}")
        assert (ROOT / f"figure.{ending}").read_bytes().startswith(head)
    lacuna("figure", "figure.png.json", "-o", "again.png", cwd=ROOT)
    assert (ROOT / "again.png").read_bytes() == (ROOT / "figure.png").read_bytes()
    for kind, ending in (("spectrum", "pdf"), ("curves", "svg"), ("timeline", "pdf"), ("phases", "svg"), ("flame", "pdf"), ("comparison", "png")):
        runs = (source, source) if kind in ("comparison", "phases", "flame") else (source,)
        lacuna("figure", *runs, "--kind", kind, "--journal", "ieee", "--columns", "single", "-o", f"{kind}.{ending}")
        lacuna("figure", f"{kind}.{ending}.json", "-o", f"{kind}-again.{ending}", cwd=ROOT)
        assert (ROOT / f"{kind}-again.{ending}").read_bytes() == (ROOT / f"{kind}.{ending}").read_bytes()
    lacuna("figure", "curves.svg.json", "-o", "film-curves/", cwd=ROOT)
    assert len(list((ROOT / "film-curves").glob("*.png"))) > 1
    refused("figure", source, source, source, "--kind", "flame", "-o", "x.pdf", says=["one run", "3"])
    refused("figure", source, "--kind", "flame", "-o", "flame-film/", says=["no film"])
    refused("figure", source, "--kind", "nonsense", "-o", "x.pdf", says=["nonsense", "timeline"])
    refused("figure", source, "--journal", "nonsense", "-o", "x.pdf", says=["nonsense", "nature"])
    refused("figure", source, "--width", "5", "-o", "x.pdf", says=["5"])
    refused("figure", source, "--kind", "comparison", "-o", "x.pdf", says=["second run"])
    for channel in experiments()["kolmogorov"]["channels"]:
        lacuna("figure", source, "--channel", channel, "--step", 1, "-o", f"{channel}.png")


def profiles_add_up():
    """/cli/profile/own-times-add-up-to-the-outermost-spans"""
    profile = json.loads(lacuna("profile", path_of(finished()), "--json")[0])
    phases = [row for row in profile["operations"] if row["name"] in ("set-up", "step")]
    assert len(phases) == 2
    assert sum(row["total_seconds"] for row in phases) <= profile["seconds"]
    assert profile["iterations"]["name"] == "step" and profile["iterations"]["count"] > 0
    assert all(row["min_seconds"] <= row["p50_seconds"] <= row["p99_seconds"] <= row["max_seconds"] for row in profile["operations"])
    assert "step" in lacuna("profile", path_of(finished()), "--top", 3)[0]
    refused("profile", "nothing-there", says=["nothing-there"])


def profiles_have_memory_and_bounded_shares():
    """/cli/profile/memory-is-sorted-and-no-share-is-above-one"""
    source = path_of(finished())
    text, rows = lacuna("profile", source, "--sort", "memory")[0], list(csv.DictReader(io.StringIO(lacuna("profile", source, "--sort", "memory", "--csv")[0])))
    known = [float(row["cpu_delta_bytes"]) for row in rows if row["cpu_delta_bytes"]]
    assert known and known == sorted(known, reverse=True)
    assert "CPU peak, MB" in text and "GPU peak, MB" not in text and "gpu_peak_bytes" not in rows[0]
    for row in rows:
        for share in ("share", "share_of_peak", "share_of_roof"):
            assert row[share] == "" or 0 <= float(row[share]) <= 1, row
    refused("profile", source, "--sort", "nonsense", says=["nonsense", "memory", "p99_seconds"])


def profiles_say_what_would_save_time():
    """/cli/profile/what-would-save-time-can-be-set"""
    profile = json.loads(lacuna("profile", path_of(finished()), "--json")[0])
    for advice in profile["advice"]:
        assert 0.05 <= advice["gain"] <= advice["share"] <= 1, advice
        if advice["setting"] in {row["key"] for row in experiments()["kolmogorov"]["parameters"]}:
            lacuna("run", "kolmogorov", "--set", f"{advice['setting']}={advice['value']}", "--write", "advice.yaml")
    source = path_of(run("h2", *short("h2"), "--precision", "f64", "--set", "evaluation=400"))
    text = lacuna("profile", source)[0]
    assert "--precision f32 (now f64) would save about" in text and "--set walkers=8 (now 16) would save about" in text, text
    lacuna("report", source, "--sections", "findings", "-o", "advice.html")
    assert "Walkers = 8 (now 16) would save about" in (ROOT / "advice.html").read_text()


def epochs_and_batches_have_lines():
    """/cli/run/monitor-batches-prints-the-first-batches-of-each-epoch"""
    known = re.compile(r"  Batch (\d+): \d+\.\d{3}s, CPU \d+\.\dMB(, \w+=-?\d+\.\d{6})?|  Epoch end: \d+\.\d{3}s total, CPU .*MB, peak \d+MB"
                       r"|  Batch timing: avg=.*s, min=.*s, max=.*s")
    # four phases: pretraining, two equilibrations, optimisation and evaluation; two sweeps over the exposures, which are no batches
    for name, settings, epochs, batches in (("h2", short("h2"), 5, 5 * 2), ("usaf", ["--set", "pie_sweeps=2"], 2, 0)):
        lines = lacuna("run", name, *settings, "--monitor-batches", 2, "--json")[1].splitlines()
        assert all(known.fullmatch(line) for line in lines), lines
        assert sum("Epoch end" in line for line in lines) == epochs, lines
        assert sum(line.startswith("  Batch ") and "timing" not in line for line in lines) == batches, lines
    source = path_of(run("h2", *short("h2")))
    lacuna("trace", source, "-o", "epochs.json")
    steps = [event["args"] for event in json.loads((ROOT / "epochs.json").read_text())["traceEvents"] if event.get("name") == "step"]
    assert [step["batch"] for step in steps][:4] == [1, 2, 3, 4] and steps[-1]["epoch"] == 5, steps
    refused("run", "h2", "--monitor-batches", "2", "--profile", "off", says=["monitor-batches = 2", "--profile off"])
    refused("run", "h2", "--monitor-batches", "few", says=["--monitor-batches", "few"])


def traces_have_flame_graphs():
    """/cli/figure/traces-of-other-programs-have-phases-and-flame-graphs"""
    lacuna("trace", path_of(finished()), "-o", "flame.json")
    lacuna("figure", "flame.json", "-k", "flame", "-o", "flame-trace.svg", cwd=ROOT)
    lacuna("figure", "flame.json", path_of(finished()), "-k", "flame", "-o", "difference.pdf", cwd=ROOT)
    lacuna("figure", "flame-trace.svg.json", "-o", "flame-again.svg", cwd=ROOT)
    assert (ROOT / "flame-again.svg").read_bytes() == (ROOT / "flame-trace.svg").read_bytes()
    lacuna("figure", "flame.json", "-k", "phases", "--between", "0,0.01", "-o", "phases-trace.png", cwd=ROOT)
    refused("figure", "flame.json", "-o", "x.pdf", says=["flame.json"])


def traces_nest():
    """/cli/trace/is-json-whose-spans-nest"""
    lacuna("trace", path_of(finished()), "-o", "trace.json")
    events = json.loads((ROOT / "trace.json").read_text())["traceEvents"]
    lanes = {}
    for event in events:
        if event["ph"] == "X":
            lanes.setdefault(event["tid"], []).append((event["ts"], -event["dur"]))
    assert lanes
    for spans in lanes.values():
        open_ends = []
        for begin, dur in sorted(spans):
            while open_ends and open_ends[-1] <= begin + 5e-4:
                open_ends.pop()
            end = begin - dur
            assert not open_ends or end <= open_ends[-1] + 2e-3, "spans overlap without nesting"  # three decimals of a microsecond
            open_ends.append(end)
    assert "Chrome trace" in lacuna("info", "trace.json")[0]


def traces_are_converted():
    """/cli/trace/of-another-program-is-converted-and-described"""
    lacuna("trace", path_of(finished()), "-o", "own.json.gz")
    lacuna("trace", "own.json.gz", "-o", "own.pftrace")
    told = [lacuna("info", name)[0].split("\n", 1) for name in ("own.json.gz", "own.pftrace")]
    assert "Chrome trace of Lacuna" in told[0][0] and "Perfetto trace of Lacuna" in told[1][0], told
    assert told[0][1] == told[1][1], told
    (ROOT / "cut.json").write_text('[{"ph":"X","name":"a","ts":1,"dur":2},')
    assert "is truncated" in lacuna("info", "cut.json")[0]
    assert "is truncated" in lacuna("trace", "cut.json", "-o", "cut.csv")[1]


def sensors_are_written_and_taken_back():
    """/cli/export-sensors/is-taken-back-by-another-run-with-the-same-result"""
    lacuna("export-sensors", path_of(finished()), "-o", "sensors.csv")
    assert (ROOT / "sensors.csv").read_text().startswith("x,y,t,quantity,value,sigma\n")
    judged = run("kolmogorov", "--set", "measurements=sensors.csv", "--set", "judge_by=truth", "--threads", 1)
    withheld = run("kolmogorov", "--set", "measurements=sensors.csv", "--threads", 1)
    chosen = {key: value for key, value in finished()["metrics"].items() if key != "placement_gain"}  # undefined for user-placed sensors
    assert judged["metrics"] == chosen
    assert "relative_l2" not in withheld["metrics"] and withheld["metrics"]["innovation_chi_squared"] > 0
    for name, source in (("first", finished()), ("judged", judged), ("withheld", withheld)):
        lacuna("export", path_of(source), "--channel", "vorticity.enkf", "-o", f"{name}.npy")
        assert (ROOT / f"{name}.npy").read_bytes() == (ROOT / "first.npy").read_bytes(), name
    (ROOT / "sensors.csv").write_text("x,y,t,quantity,value\n0,0,0.25,w,1\n")
    refused("run", "kolmogorov", *short("kolmogorov"), "--set", "measurements=sensors.csv", "--quiet", says=["line 2", "quantity = w"], status=1)


def patterns_are_taken_back():
    """/cli/run/the-scan-pattern-of-a-run-gives-another-one-the-same-exposures"""
    first = run("usaf", *short("usaf"), "--set", "apertures=9")
    pattern = path_of(first) / "pattern.csv"
    assert len(pattern.read_text().splitlines()) == 10
    second = run("usaf", *short("usaf"), "--set", f"pattern_file={pattern}")
    assert second["metrics"]["pie"] == first["metrics"]["pie"]


def objects_smaller_than_their_grid_have_both_precisions():
    """/cli/run/an-object-smaller-than-its-grid-is-computed-in-both-precisions"""
    small = ["--set", "size=32", "--set", "grid=64", "--set", "apertures=9", "--set", "diameter=16", "--set", "pie_sweeps=1"]
    lacuna("export-sensors", path_of(run("usaf", *small)), "-o", "narrow.h5")
    own = ["--set", "measurements=narrow.h5", "--set", "bounds=no", "--set", "is_real=no", "--set", "pie_sweeps=1"]
    single, double = (run("picture", *own, "--precision", precision)["metrics"]["pie"] for precision in ("f32", "f64"))
    for key, value in double.items():
        assert single[key] != value or value == round(value), key
        assert abs(single[key] - value) <= 1e-3 * abs(value), key


def exports_are_written():
    """/cli/export/writes-h5-csv-npy-and-vti"""
    source = path_of(finished())
    for ending, head in (("h5", b"\x89HDF"), ("csv", b""), ("npy", b"\x93NUMPY"), ("vti", b"<")):
        lacuna("export", source, "-o", f"export.{ending}")
        content = (ROOT / f"export.{ending}").read_bytes()
        assert content.startswith(head) and len(content) > 100, ending
    lacuna("export", source, "--all-times", "-o", "times.h5")
    assert (ROOT / "times.h5").read_bytes().startswith(b"\x89HDF")


def numbers_have_points_in_every_locale():
    """/cli/locale/numbers-have-points-where-commas-are-usual"""
    assert not needs.missing("localedef"), needs.missing("localedef")
    folder = ROOT / "locales"
    folder.mkdir()
    subprocess.run(["localedef", "--no-archive", "-i", "de_DE", "-f", "UTF-8", str(folder / "de_DE.UTF-8")], capture_output=True)
    env = {"LOCPATH": str(folder), "LC_ALL": "de_DE.UTF-8"}
    result = run("kolmogorov", "--threads", 1, env=env)
    assert result["metrics"] == finished()["metrics"]
    json.loads(lacuna("list", "--json", env=env)[0])
    for name in ("comma.json", "comma.txt", "comma.pdf"):
        lacuna("report", path_of(result), "-o", name, env=env)
    json.loads((ROOT / "comma.json").read_text())
    for ending in ("csv", "npy", "vti"):
        lacuna("export", path_of(finished()), "-o", f"comma.{ending}", env=env)
        lacuna("export", path_of(finished()), "-o", f"point.{ending}")
        assert (ROOT / f"comma.{ending}").read_bytes() == (ROOT / f"point.{ending}").read_bytes(), ending


if __name__ == "__main__":
    sys.exit(main(globals().values()))
