#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that the gate detects planted regressions and passes unchanged runs: gate.py BENCH-PLANTED [RUNS]. Prints one JSON object; exit
status 1 when an unchanged run fails or a planted one passes."""
import json
import os
import subprocess
import sys
import tempfile

from record import processor

PLANTS = {"unchanged": [], "time_15_percent_more": ["--slower", "0.15"], "memory_25_percent_more": ["--larger", "0.25"]}


def main(program, runs="20"):
    counts = {"unchanged": int(runs), "time_15_percent_more": max(int(runs) // 5, 1), "memory_25_percent_more": max(int(runs) // 5, 1)}
    rows, wrong = [], 0
    with tempfile.TemporaryDirectory() as folder:
        baseline = os.path.join(folder, "baseline.json")
        subprocess.run([program, "--rounds", "12", "-o", baseline], check=True)
        for name, plant in PLANTS.items():
            done = []
            for number in range(counts[name]):
                load = os.getloadavg()[0]
                answer = json.loads(subprocess.run([program, "--rounds", "4", "--gate", baseline, *plant], stdout=subprocess.PIPE, text=True).stdout)
                ratios = {row["metric"]: round(row["ratio"], 4) for row in answer["results"]}
                done.append({"passed": answer["passed"], "attempts": answer["attempts"], "ratios": ratios, "load": round(load, 1)})
                print(f"{name} {number + 1}: {done[-1]}", file=sys.stderr, flush=True)
            passed = sum(one["passed"] for one in done)
            wrong += passed if plant else counts[name] - passed
            rows.append({"name": name, "runs": counts[name], "passed": passed, "each": done})
    print(json.dumps({"processor": processor(), "rows": rows, "wrong": wrong}))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
