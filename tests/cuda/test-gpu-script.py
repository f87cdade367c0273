#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`./dev gpu` itself, on the emulated device and without one: exit status, message, table and saved files."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SCRIPT, BUILD = sys.argv[1:3]
FAMILIES = ("element-wise, products, reductions, transforms", "layers of jets", "planes", "waves", "electrons", "iterations of walkers", "solve", "staging buffers", "recorded steps")


def run(*options, **environment):
    done = subprocess.run([sys.executable, SCRIPT, "--build", BUILD, "--emulated", "--short", *options], capture_output=True, text=True,
                          env=dict(os.environ, LACUNA_TORCH_PYTHON="", LACUNA_JAX_PYTHON="", **environment))
    return done.returncode, done.stdout + done.stderr


def without_a_device():
    status, text = run(LACUNA_EMULATED_DEVICES="0")
    assert status == 69, (status, text)
    assert "Nothing was run" in text and "No NVIDIA GPU responds on this machine" in text and len(text.strip().splitlines()) == 1, text


def with_one():
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "gpu.json"
        status, text = run("--out", str(out))
        assert status == 0, text
        record = json.loads(out.read_text())
    verdicts = {row["line"]: row["verdict"] for row in record["table"]}
    assert len(record["table"]) >= 20 and not any(verdict.startswith("FAILED") for verdict in verdicts.values()), text
    assert record["table"][0]["line"].startswith("lacuna devices --test") and record["table"][0]["verdict"] == "passed", record["table"][0]
    for line in ("every op × case against the CPU in fp64", "every kernel against its formula",
                 "every experiment: frames of the CPU, same seed bitwise", "FFT 1024²: growth over 10 000"):
        assert verdicts[line] == "passed", (line, verdicts.get(line), text)
    for family in FAMILIES:
        assert verdicts[f"{family}: a case"] == "passed", (family, text)
        for check in ("memcheck", "racecheck", "synccheck", "initcheck"):
            line = next(line for line in verdicts if line.startswith(f"compute-sanitizer {check}: {family} ("))
            assert verdicts[line].startswith("not run: the device is emulated"), (line, verdicts[line])
    assert all(row["value"] > 0 for row in record["rows"] if row["metric"] == "step_wall") and record["command"] == "./dev gpu --emulated"
    kernels = [row for row in record["rows"] if row["name"].startswith("kernels of ")]
    assert kernels and all(0 < row["share"] <= 1 and row["mean_microseconds"] > 0 for row in kernels), kernels
    assert text.strip().splitlines()[-2].endswith("without a verdict"), text


def when_time_is_over():
    with tempfile.TemporaryDirectory() as folder:
        status, text = run("--seconds", "1.5", "--out", str(pathlib.Path(folder) / "gpu.json"))
    assert status in (0, 69), text
    assert "the ten minutes are over" in text or "stopped after" in text, text


if __name__ == "__main__":
    parts = [without_a_device, with_one, when_time_is_over]
    print(f"1..{len(parts)}")
    for i, part in enumerate(parts):
        part()
        print(f"ok {i + 1} {part.__name__.replace('_', '-')}", flush=True)
