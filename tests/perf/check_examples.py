#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the output of the lacuna-perf examples: check_examples.py PROGRAM... Their numbers are checked against each other."""
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SECONDS = r"(\d+\.\d{3})"
BYTES = r"[+-]\d+\.\d"
SUMMARY = rf"={{90}}\nPERFORMANCE SUMMARY\n={{90}}\nOperation +Time \(s\) +CPU \(MB\) +GPU \(MB\) +GPU Peak\n-{{90}}\n(?P<rows>(.{{30}} +{SECONDS} +{BYTES} +- +-\n)+)-{{90}}\nTOTAL +(?P<total>{SECONDS})s\n={{90}}\n"
STATISTICS = rf"={{90}}\nAGGREGATE STATISTICS \(for repeated operations\)\n={{90}}\nOperation +Count +Total \(s\) +Mean \(s\) +Min \(s\) +Max \(s\)\n-{{90}}\n(?P<rows>(.{{30}} \d+( +{SECONDS}){{4}}\n)+)={{90}}\n"
HALF = 0.00051  # rounding to three decimals


def matched(pattern, text):
    found = re.search(pattern, text)
    assert found, f"no {pattern} in\n{text}"
    return found


def check_summary(text, names):
    found = matched(SUMMARY, text)
    rows = {row[:30].strip(): float(row[30:41]) for row in found["rows"].splitlines()}
    assert list(rows) == names, rows
    assert abs(sum(rows.values()) - float(found["total"])) < HALF * (len(rows) + 1), found["rows"]
    return rows


def phases(text, folder):
    check_summary(text, ["data loading", "preprocessing", "model forward"])


def repeated(text, folder):
    rows = [line.split() for line in matched(STATISTICS, text)["rows"].splitlines()]
    assert {row[0] for row in rows} == {"batch_forward", "batch_backward"} and all(row[1] == "150" for row in rows), rows
    for _, count, total, mean, least, most in rows:
        assert abs(float(total) - int(count) * float(mean)) < HALF * (int(count) + 1) and float(least) <= float(mean) <= float(most), rows
    assert float(rows[0][2]) >= float(rows[1][2]), rows  # the larger total is first


def block(text, folder):
    change = matched(rf"^\[Performance\] critical_operation: {SECONDS}s, CPU ([+-]\d+\.\d)MB\nsum ", text)[2]
    most = 300 if os.environ.get("LACUNA_TEST_SANITIZED") == "1" else 60  # sanitizers use memory of their own
    assert 30 < float(change) < most, text  # 32 MB are held


def function(text, folder):
    total = sum(1 / i for i in range(1, 100001))
    found = matched(rf"^\[Performance\] data processing: {SECONDS}s, CPU {BYTES}MB\nsum (\d+\.\d+)\n$", text)
    assert abs(float(found[2]) - 10 * total) < 1e-4, text


def training(text, folder):
    batch = rf"  Batch \d: {SECONDS}s, CPU \d+\.\dMB, loss=\d+\.\d{{6}}\n"
    epoch = rf"  Epoch end: {SECONDS}s total, CPU \d+\.\dMB, peak \d+MB\n  Batch timing: avg={SECONDS}s, min={SECONDS}s, max={SECONDS}s\n"
    matched(rf"^({batch}){{5}}({epoch}){{3}}Average", text)
    mean, least, most = (float(matched(rf"{word} batch time: (\d+\.\d+)s", text)[1]) for word in ("Average", "Min", "Max"))
    assert 0 < least <= mean <= most, text
    assert ("High variance" in text) == (most > 2 * least), text


def bottleneck(text, folder):
    rows = check_summary(text, ["data_loading", "model_forward", "post_processing"])
    share = float(matched(r"BOTTLENECK: model_forward \((\d+\.\d)%\)", text)[1])
    assert abs(share - 100 * rows["model_forward"] / sum(rows.values())) < 2, text
    matched(r"Optimal batch size: (8|16|32|64) \(0\.\d+s\)\n$", text)
    with open(folder / "blocks.csv", newline="") as file:
        blocks = [row for row in csv.DictReader(file) if row["kind"] == "memory"]
    assert [row["name"] for row in blocks] == list(rows), blocks
    for row in blocks:
        assert abs(int(row["duration [ns]"]) * 1e-9 - rows[row["name"]]) < HALF and int(row["cpu_peak [B]"]) > 0, row


CHECKS = {"1-phases": phases, "2-repeated": repeated, "3-block": block, "4-function": function, "5-training": training, "6-bottleneck": bottleneck}


def check(program, env=None):
    """Runs one of the six; raises when its output is wrong."""
    with tempfile.TemporaryDirectory(prefix="lacuna-examples-") as folder:
        words = [program] + (["blocks.csv"] if program.name == "6-bottleneck" else [])
        done = subprocess.run(words, capture_output=True, text=True, cwd=folder, env=env, timeout=100)
        assert done.returncode == 0, done.stdout + done.stderr
        CHECKS[program.name](done.stdout, pathlib.Path(folder))


def main(*programs):
    programs = sorted(pathlib.Path(program).resolve() for program in programs)
    assert [program.name for program in programs] == sorted(CHECKS), programs
    for program in programs:
        check(program)
        print(program.name)


if __name__ == "__main__":
    main(*sys.argv[1:])
