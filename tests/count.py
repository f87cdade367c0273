#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Adds up the subtests of several meson builds and ends with one line: N passed, N failed, N skipped."""
import collections
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as tree


def count(build):
    passed = failed = skipped = 0
    skips = collections.Counter()
    log = pathlib.Path(build, "meson-logs", "testlog.junit.xml")
    if not log.exists():
        print(f"{build}: no test log")
        return 0, 1, 0
    for case in tree.parse(log).getroot().iter("testcase"):
        name = f'{case.get("classname")} {case.get("name")}'
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
            print(f"failed in {build}: {name}")
        elif case.find("skipped") is not None:
            skipped += 1
            # of "12 /backend/cuda/f32/fill" the first two folders name what is left out
            path = re.search(r"/[^/]+(/[^/]+)?", case.get("name"))
            skips[f'{case.get("classname").split(":")[-1].strip()} {path.group() if path else case.get("name")}'] += 1
        else:
            passed += 1
    failed += count_crashed(build, failed)
    for name, n in sorted(skips.items()):
        print(f"skipped in {build}: {n} of {name}")
    return passed, failed, skipped


def count_crashed(build, known):
    """Programs that ended badly without a failed subtest, such as one killed by a signal; `known` failures are counted already."""
    bad = []
    for line in pathlib.Path(build, "meson-logs", "testlog.json").read_text().splitlines():
        test = json.loads(line)
        if test["result"] not in ("OK", "SKIP", "EXPECTEDFAIL"):
            bad.append(test["name"])
    for name in bad if not known else []:
        print(f"failed in {build}: {name}")
    return max(len(bad) - known, 0)


def main(builds):
    passed, failed, skipped = (sum(column) for column in zip(*map(count, builds)))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
