#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`lacuna bench` and its files from end to end: test-bench.py LACUNA."""

import json
import math
import sys

from program import (ROOT, lacuna, main, once_is_enough, refused)


@once_is_enough
def bench_tells_time_and_memory():
    """/cli/bench/tells-time-and-memory-beside-their-limits"""
    words = ["bench", "--only", "sensor_selection", "--rounds", 1, "--threads", 1]
    whole = json.loads(lacuna(*words, "--json", "-o", "bench.json", status=None)[0])
    assert json.loads((ROOT / "bench.json").read_text()) == whole
    assert whole["format"] == "lacuna-bench" and whole["threads"] == 1
    assert {"identity", "processor", "kernels", "linear algebra", "build type", "load before"} <= set(whole["machine"])
    rows = {row["metric"]: row for row in whole["results"]}
    seconds, held = rows["sensor_selection_seconds"], rows["sensor_selection_peak_resident_bytes"]
    assert (seconds["name"], seconds["unit"], seconds["limit"]) == ("flow/small", "s", 0.2)
    assert 0 < seconds["value"] == seconds["samples"][0] and seconds["relative"][0] > 0
    assert held["value"] > 200 * 32 * 32 * 4  # the snapshots alone
    text, lines = lacuna(*words, "--progress", status=None)
    assert "sensor_selection_seconds" in text and lines == "progress 0 1 1 1 flow/small/sensor_selection\n"


@once_is_enough
def bench_checks_the_physics():
    """/cli/bench/checks-errors-of-whole-experiments-against-absolute-limits"""
    found = json.loads(lacuna("bench", "--only", "physics", "--rounds", 1, "--json")[0])
    rows = {(row["name"], row["metric"]): row for row in found["results"]}
    assert {name for name, _ in rows} == {"flow/small", "imaging/small", "quantum/small"}
    assert rows["flow/small", "trained_error"]["limit"] == 0.15 and rows["flow/small", "trained_residual"]["limit"] == 1e-3
    assert rows["imaging/small", "psnr_db"]["kind"] == "merit" and rows["quantum/small", "energy_error_over_bar"]["value"] > 0
    assert all(row["passed"] and row["limit"] > 0 for row in rows.values()), rows
    gains = json.loads(lacuna("bench", "--only", "placement", "--scale", "small,medium,large", "--rounds", 1, "--json")[0])["results"]
    assert len(gains) == 3 and all(row["value"] > 0.3 for row in gains), gains
    refused("bench", "all", "--ablation", says=["bench all takes no"])
    refused("bench", "nothing", says=["nothing", "bench growth", "bench prism", "bench all"])


@once_is_enough
def bench_profiles_a_step():
    """/cli/bench/profiles-the-operations-of-a-step"""
    found = json.loads(lacuna("bench", "--profile", "--only", "/step", "--rounds", 1, "--json", status=None)[0])["results"]
    for name in "flow/small", "imaging/small", "quantum/small":
        shares = {row["metric"]: row["value"] for row in found if row["name"] == name and row["metric"].startswith("share of ")}
        assert len(shares) > 2 and abs(sum(shares.values()) - 1) < 1e-9 and min(shares.values()) >= 0, (name, shares)
    assert any("reverse" in row["metric"] for row in found if row["name"] == "flow/small"), found
    refused("bench", "--profile", "--ablation", says=["--profile", "--ablation"])
    refused("bench", "growth", "--profile", says=["--profile"])


@once_is_enough
def bench_measures_prism_at_any_size():
    """/cli/bench/measures-the-operations-of-prism-at-any-size"""
    found = json.loads(lacuna("bench", "prism", "--size", 64, "--samples", 3, "--epochs", 4, "--json")[0])["results"]
    rows = {(row["name"], row["metric"]): row["value"] for row in found}
    assert {name for name, _ in rows} == {f"prism/64/{operation}" for operation in ("fft", "model", "training", "full")}
    for name, act in ("fft", "forward"), ("fft", "inverse"), ("fft", "round_trip"), ("model", "forward"), ("training", "step"), ("training", "sample"):
        first, least, mean, most = (rows[f"prism/64/{name}", f"{act}_{word}_seconds"] for word in ("first", "min", "mean", "max"))
        assert 0 < least <= mean <= most and least <= first <= most, (name, act)
    # a sample has as many steps as epochs
    assert rows["prism/64/training", "sample_mean_seconds"] >= 4 * rows["prism/64/training", "step_min_seconds"]
    parts = sum(rows["prism/64/full", f"{part}_seconds"] for part in ("setup", "training", "metrics"))
    assert math.isclose(parts, rows["prism/64/full", "total_seconds"], rel_tol=0.05), rows
    assert all(rows[f"prism/64/{name}", "heap_growth_bytes"] <= 4096 for name in ("fft", "model", "training"))
    one = json.loads(lacuna("bench", "prism", "--size", 64, "--operation", "fft", "--json")[0])["results"]
    assert {row["name"] for row in one} == {"prism/64/fft"}
    refused("bench", "prism", "--size", 100, says=["--size 100", "power of two"])
    refused("bench", "prism", "--operation", "ifft", says=["ifft", "fft, model, training, full"])
    refused("bench", "--size", 64, says=["--size", "bench prism"])
    refused("bench", "prism", "--ablation", says=["prism", "--ablation"])


@once_is_enough
def bench_times_a_cutout():
    """/cli/bench/times-a-cut-out-in-memory-and-streamed"""
    found = json.loads(lacuna("bench", "--only", "cutout", "--scale", "small,medium", "--rounds", 1, "--json")[0])["results"]
    rows = {(row["name"], row["metric"]): row["value"] for row in found}
    for tier in "small", "medium":
        parts = [rows[f"flow/{tier}", f"cutout_{part}_seconds"] for part in ("disk", "decode", "pod", "streamed")]
        assert all(seconds > 0 for seconds in parts) and parts[0] < parts[1] and parts[0] < parts[3], parts
        assert abs(rows[f"flow/{tier}", "streamed_over_disk"] * parts[0] - parts[3]) < 1e-6 * parts[3]
        assert rows[f"flow/{tier}", "projected_cutout_seconds"] > parts[3]


@once_is_enough
def bench_tells_how_costs_grow():
    """/cli/bench/tells-how-costs-grow-beside-theory"""
    words = ["bench", "growth", "--only", "profile/records", "--rounds", 1]
    # the exponent of a busy machine may miss its limit
    whole = json.loads(lacuna(*words, "--json", "-o", "growth.json", status=None)[0])
    assert json.loads((ROOT / "growth.json").read_text()) == whole
    assert whole["format"] == "lacuna-bench" and whole["threads"] == 1
    rows = {(row["name"], row["metric"]): row for row in whole["results"]}
    exponent = rows["growth/profile/records", "time_exponent"]
    assert 0.5 < exponent["value"] < 1.5 and exponent["limit"] > 1
    assert abs(rows["growth/profile/records", "time_theory"]["value"] - 1) < 1e-9
    assert rows["growth/profile/records/320000", "seconds"]["value"] > 0
    text = lacuna(*words, status=None)[0]
    assert "profile/records" in text and "5000 to 320000" in text
    refused("bench", "growth", "--only", "nonsense", says=["nonsense", "electrons"])
    refused("bench", "growth", "--ablation", says=["growth", "--ablation"])
    refused("bench", "growth", "--threads", 2, says=["--threads"])
    refused("bench", "shrinkage", says=["shrinkage", "growth"])


@once_is_enough
def bench_assimilates():
    """/cli/bench/the-filter-meets-the-published-error"""
    words = "bench", "assimilation", "--samples", 1500, "--only", "half-seen-24"
    found = json.loads(lacuna(*words, "--json")[0])["results"]
    values = {row["metric"]: row["value"] for row in found}
    assert {row["name"] for row in found} == {"assimilation/lorenz96/half-seen-24"}
    assert values["error"] < values["published"] + 0.01 + values["half_width"]
    assert 0.9 < values["within_95"] < 0.99 and 0.45 < values["within_50"] < 0.62
    assert 0 < values["half_width"] < 0.1 and values["spread"] > 0.9 * values["error"]
    text = lacuna(*words)[0]
    assert "published" in text and "(at most 0.59)" in text, text
    refused("bench", "assimilation", "--rounds", 2, says=["--rounds", "--samples"])
    refused("bench", "assimilation", "--samples", 2, says=["--samples", "20"])


@once_is_enough
def bench_finds_coefficients():
    """/cli/bench/true-coefficients-lie-within-their-standard-errors"""
    found = json.loads(lacuna("bench", "coefficients", "--samples", 40, "--only", "heat1d/solver", "--json")[0])["results"]
    values = {row["metric"]: row["value"] for row in found}
    assert {row["name"] for row in found} == {"coefficients/heat1d/solver.diffusivity"} and values["cases"] == 40
    assert values["within_95"] >= 0.9 and 0.3 < values["within_50"] < 0.7 and 0.7 < values["root_mean_square"] < 1.4
    assert abs(values["outside_95"] + values["within_95"] - 1) < 1e-12 and 0 < values["relative_standard_error"] < 0.01
    refused("bench", "coefficients", "--rounds", 2, says=["--rounds", "--samples"])


@once_is_enough
def bench_calibrates_the_verdicts():
    """/cli/bench/calibrates-the-verdicts-on-reliability"""
    found = json.loads(lacuna("bench", "calibration", "--samples", 2, "--json")[0])["results"]
    rows = {(row["name"], row["metric"]): row for row in found}
    assert {name for name, _ in rows} == {f"calibration/{fault}" for fault in ("none/enkf", "none/pod", "noise-5/enkf", "noise-5/pod", "all")}
    shares = [rows["calibration/all", word]["value"] for word in ("reliable", "questionable", "not_reliable")]
    assert rows["calibration/all", "cases"]["value"] == 4 and abs(sum(shares) - 1) < 1e-12
    assert rows["calibration/all", "wrong_of_reliable"]["limit"] == 0.02
    assert rows["calibration/none/enkf", "reliable"]["value"] == 1  # right model, stated noise
    refused("bench", "calibration", "--only", "pod", says=["--only", "--samples"])
    refused("bench", "calibration", "--epochs", 2, says=["--epochs", "bench prism"])


@once_is_enough
def bench_trains_on_a_device():
    """/cli/bench/trains-on-a-device-and-says-so"""
    words = ["bench", "--backend", "strict", "--only", "quantum/small", "--rounds", 1, "--threads", 1]
    whole = json.loads(lacuna(*words, "--json", status=None)[0])
    assert whole["machine"]["backend"] == "strict" and whole["machine"]["identity"].endswith(", strict")
    rows = {row["metric"]: row for row in whole["results"]}
    assert rows["step_seconds"]["value"] > 0 and "forward_seconds" not in rows
    refused("bench", "--backend", "abacus", "--only", "quantum/small", status=1, says=["abacus", "strict"])
    refused("bench", "--backend", "strict", "--only", "sensor_selection", says=["sensor_selection"])
    refused("bench", "--backend", "strict", "--ablation", says=["--ablation", "processor"])


def compare_shows_ratios_of_benchmarks():
    """/cli/compare/two-files-of-a-benchmark-have-ratios-with-intervals"""
    def bench_file(name, factor):
        rows = [{"name": "flow/small", "metric": "step_seconds", "kind": "time", "unit": "s", "samples": [factor * (1 + i / 100) for i in range(8)]}]
        (ROOT / name).write_text(json.dumps({"format": "lacuna-bench", "version": 1, "machine": {"identity": "m"}, "threads": 1, "results": rows}))
    bench_file("old.json", 1)
    bench_file("new.json", 2)
    row, = json.loads(lacuna("compare", "old.json", "new.json", "--json")[0])["results"]
    assert abs(row["ratio"] - 2) < 0.1 and row["ratio_low"] < 2 < row["ratio_high"] and row["judgement"] == "broken"
    text = lacuna("compare", "old.json", "new.json")[0]
    assert "BEYOND THE LIMIT" in text and "step_seconds" in text
    assert "bench" in lacuna("info", "old.json")[0]
    refused("compare", "old.json", "new.json", "new.json", says=["two"])
    (ROOT / "bad.json").write_text('{"format": "lacuna-bench"}')
    refused("compare", "old.json", "bad.json", says=["bad.json"])


if __name__ == "__main__":
    sys.exit(main(globals().values()))
